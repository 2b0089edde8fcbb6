import { parseJson } from "@toolcontract/explain/adapter";
import { formatFailure } from "../message/index.ts";
import { type Reading, readingOf } from "./check.ts";
import { CallFailedError, type Executed, type InvalidArguments } from "./decision.ts";
import { AdmittedCall, type CallRecord } from "./record.ts";
import { type Refusing, keptName, refuseCall } from "./refuse.ts";
import { withoutNotice } from "./reject.ts";
import { failedResult } from "./result.ts";

/** Counts and reports a call that would be refused, and admits it: it runs as it would without the contract. */
export async function observeCall(
  record: CallRecord,
  found: InvalidArguments,
  refusing: Refusing,
): Promise<AdmittedCall> {
  // The stage would record an attempt that failed, and this one goes on.
  const counted = found.refusal ? { ...found, refusal: withoutNotice(found.refusal) } : found;
  const answer = await refuseCall(record, counted, refusing);
  const { refusal, repairs } = found;
  const reading = refusal?.held ?? readingFor(found, record);
  const { input, output } = reading ?? { input: record.call.arguments, output: undefined };
  return new AdmittedCall(
    record,
    Math.max(1, answer.attempt),
    { status: "valid", input, output: reading ? output : input, advisories: [], repairs },
    { observed: { answer, isReadable: reading !== undefined } },
  );
}

/** A host may have checked the call itself. */
function readingFor(found: InvalidArguments, record: CallRecord): Reading | undefined {
  const { checked } = record.context;
  const own = checked?.status === "invalid" ? readingOf(checked) : undefined;
  return readingOf(found) ?? own ?? readByHost(record);
}

/** What the host would make of the arguments; undefined if nobody can read them. */
function readByHost({ call }: CallRecord): Reading | undefined {
  const { arguments: sent, text } = call;
  const value = typeof sent === "string" && text === undefined ? parseJson(sent) : sent;
  return value === undefined && sent !== undefined ? undefined : { input: value, output: value };
}

/**
 * Answers a call that nothing can run, in one line that is not the contract's: its arguments cannot be read, or its tool does not exist;
 * undefined for any other. For hosts that have no answer of their own.
 */
export function answerUnrunnable(admitted: AdmittedCall): Executed<undefined> | undefined {
  const { record, attempt, observed } = admitted;
  const isKnown = record.tool !== undefined;
  if (observed === undefined || (isKnown && observed.isReadable)) return undefined;
  const reason = isKnown ? "its arguments are not valid JSON" : "there is no such tool";
  const content = formatFailure({ message: reason }, record.services.options.format);
  const named = { ...record.call, name: keptName(record) };
  return {
    status: "executed",
    attempt,
    output: undefined,
    result: failedResult(named, content, admitted),
    failure: new CallFailedError(content),
  };
}
