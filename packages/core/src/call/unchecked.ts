import type { CountedFailure } from "../attempts/index.ts";
import {
  quoteName,
  type Finding,
  type MaybePromise,
  chain,
  buildErrors,
} from "@toolcontract/explain/adapter";
import { byCloseness, meantTool } from "../shared/index.ts";
import { toolNames } from "./context.ts";
import { type InvalidArguments, invalidBy } from "./decision.ts";
import { cleanErrors } from "./host-errors.ts";
import type { CallRecord } from "./record.ts";

// What is wrong with a call whatever its arguments are: its tool is unknown, closed or blocked.

/** What is wrong with a call whose tool is closed or unknown. */
export function ruledOut(
  record: CallRecord,
  closed: CountedFailure | undefined,
): MaybePromise<InvalidArguments> {
  if (!closed) return unknownTool(record);
  return closedTool(record, closed);
}

/** The tools that a message lists; more are listed by how close they are to the called name. */
const MAX_LISTED = 10;

/** A call of an unknown tool (VAL-012); lists the tool that was meant first. */
function unknownTool(record: CallRecord): MaybePromise<InvalidArguments> {
  const { call, context } = record;
  const known = toolNames(context);
  const meant = meantTool(call.name, known);
  const sorted = known.length > MAX_LISTED ? byCloseness(call.name, known) : known;
  const names = meant === undefined ? sorted : [meant, ...sorted.filter((one) => one !== meant)];
  return invalidCall(record, {
    code: "VAL-012",
    path: [],
    reason: { kind: "unknown-tool", name: quoteName(call.name) },
    expected: { kind: "tools", names },
    ...(meant !== undefined && { hint: { kind: "use", value: meant } }),
  });
}

/** A call of a tool that a lane of the stage has closed, in that lane's words. */
export function closedTool(
  record: CallRecord,
  { history }: CountedFailure,
): MaybePromise<InvalidArguments> {
  const latest = history.at(-1)?.errors ?? [];
  if (latest.length === 0) return spentTool(record);
  const told = latest.map(({ errorCode, fieldPath, summary }) => ({
    errorCode,
    fieldPath,
    message: summary,
    severity: "error" as const,
  }));
  return chain(cleanErrors(told, record), invalidBy);
}

/** A call of a tool whose attempts are spent, if nothing else is wrong with it. */
export function spentTool(record: CallRecord): MaybePromise<InvalidArguments> {
  return invalidCall(record, { code: "VAL-016", path: [], reason: { kind: "blocked" } });
}

function invalidCall({ services }: CallRecord, finding: Finding): MaybePromise<InvalidArguments> {
  const building = { tool: "", sanitizer: services.sanitizer, redactors: [] };
  return chain(buildErrors([finding], building), invalidBy);
}
