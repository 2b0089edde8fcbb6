import {
  type Finding,
  readThrown,
  standardValidator,
  thrownIssues,
} from "@toolcontract/explain/adapter";
import { foundAfter, sentText } from "./check.ts";
import type { Refused } from "./decision.ts";
import { firstLine } from "./fail.ts";
import type { AdmittedCall } from "./record.ts";
import { refuseCall } from "./refuse.ts";
import { readErrors } from "./rules.ts";

/** Refuses an admitted call that the host itself has refused: it counts as an attempt with invalid arguments. */
export async function takeBack(admitted: AdmittedCall, thrown: unknown): Promise<Refused> {
  const { record, input, output, observed } = admitted;
  const { call, context } = record;
  // A call is counted once.
  if (observed) return observed.answer;
  // A call cancelled meanwhile counts as never made.
  context.signal?.throwIfAborted();
  const text = sentText(call.arguments, call.rawText);
  const found = await foundAfter(
    await findingsOfThrown(thrown, admitted),
    { input, output, text },
    record.plan(),
  );
  return refuseCall(record, found, { hasRun: true });
}

/** What the host's error says: the issues of its validator, else its first line, else that it refused. */
async function findingsOfThrown(
  thrown: unknown,
  { record, input }: AdmittedCall,
): Promise<readonly Finding[]> {
  const found = thrownIssues(thrown);
  if (found) {
    const { issues, vendor = "host" } = found;
    const { validator, onFault } = record.plan();
    const validate = (): { readonly issues: never } => ({ issues: issues as never });
    const told = { "~standard": { version: 1, vendor, validate } } as const;
    const validation = await standardValidator(told, () => validator.schema(), onFault).validate(
      input,
      true,
    );
    if (!validation.ok) return validation.findings;
  }
  const message = thrown === undefined ? "" : firstLine(readThrown(thrown));
  if (message !== "") return readErrors([{ message }]);
  return [{ code: "VAL-016", path: [], reason: { kind: "validator-refused" } }];
}
