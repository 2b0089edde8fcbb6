import { refusedAfter, sentText } from "./check.ts";
import { CallFailedError, type Executed, type Failed } from "./decision.ts";
import type { AdmittedCall } from "./record.ts";
import { shownName } from "./refuse.ts";
import { type WireOutput, executedResult, failedResult } from "./result.ts";
import { NO_REASON, formatFailure } from "../message/index.ts";
import { readThrown } from "@toolcontract/explain/adapter";
import type { StageFailure } from "../shared/index.ts";

/** Answers a call whose tool ran and failed for good: an error for the model that no lane counts. */
export async function failCall<TOutput>(
  admitted: AdmittedCall,
  failure: StageFailure,
  read?: (output: TOutput) => WireOutput,
): Promise<Executed<TOutput>> {
  const { record, attempt } = admitted;
  const { call, services } = record;
  const output = failure.value as TOutput;
  const answer = { status: "executed", attempt, output } as const;
  if (failure.message === undefined) {
    return { ...answer, result: executedResult(call, output, admitted, read, true) };
  }
  const content = formatFailure(
    {
      toolName: shownName(record),
      message: await shownMessage(admitted, failure.message),
      undone: failure.undone,
      withheld: failure.withheld,
    },
    services.options.format,
  );
  return {
    ...answer,
    result: failedResult(call, content, admitted),
    failure: new CallFailedError(content),
  };
}

/** Answers a call whose tool threw. */
export async function answerThrown(admitted: AdmittedCall, error: unknown): Promise<Failed> {
  const { record, attempt } = admitted;
  const { call, services } = record;
  const message = await shownMessage(admitted, firstLine(readThrown(error)));
  const content = formatFailure({ message }, services.options.format);
  return { status: "failed", attempt, error, result: failedResult(call, content, admitted) };
}

/** Far more than is shown: secrets are masked before the line is cut. */
const READ = 100_000;

/** The lines below the first are often a stack, or a dump of what was sent. */
export function firstLine(text: string): string {
  const [line = ""] = text
    .slice(0, READ)
    .trimStart()
    .split(/[\n\v\f\r\u0085\u2028\u2029]/, 1);
  return line;
}

/** The message as one paragraph, cleaned like the errors of a stage. */
async function shownMessage(
  { record, input, output }: AdmittedCall,
  message: string,
): Promise<string> {
  const { call } = record;
  const text = sentText(call.arguments, call.rawText);
  const reason = message.replaceAll(/\s+/g, " ").trim() || NO_REASON;
  const built = await refusedAfter(
    { errors: [{ message: reason }] },
    { input, output, text },
    record.plan(),
  );
  return built.errors[0]?.message ?? NO_REASON;
}
