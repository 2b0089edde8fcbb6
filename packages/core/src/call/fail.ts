import { refusedAfter, sentText } from "./check.ts";
import { CallFailedError, type Executed, type WireOutput } from "./decision.ts";
import { shownName } from "./refuse.ts";
import { createToolResult, executedResult } from "./result.ts";
import type { AdmittedCall } from "./run.ts";
import { countedName } from "./progress.ts";
import { formatFailure } from "../message/index.ts";
import type { StageFailure } from "../shared/index.ts";

const NO_REASON = "it gave no reason";

/** Answers a call whose tool ran and failed for good: an error for the model that no lane counts. */
export async function failCall<TOutput>(
  admitted: AdmittedCall,
  failure: StageFailure,
  read?: (output: TOutput) => WireOutput,
): Promise<Executed<TOutput>> {
  const { progress, attempt, advisories } = admitted;
  const { call, tool, services } = progress;
  const output = failure.value as TOutput;
  const answer = { status: "executed", attempt, output } as const;
  if (failure.message === undefined) {
    const result = { ...executedResult(call, output, admitted, read), isError: true };
    return { ...answer, result };
  }
  const content = formatFailure(
    {
      toolName: shownName({ call, label: countedName(tool) }),
      message: await shownMessage(admitted, failure.message),
      undone: failure.undone,
    },
    services.options.format,
  );
  const parts = { content, status: "executed", isError: true, advisories } as const;
  return {
    ...answer,
    result: createToolResult(call, parts),
    failure: new CallFailedError(content),
  };
}

/** The message as one paragraph, cleaned like the errors of a stage. */
async function shownMessage(
  { progress, input, output }: AdmittedCall,
  message: string,
): Promise<string> {
  const { call, tool, services } = progress;
  const plan = services.planOf(tool ?? { name: call.name });
  const text = sentText(call.arguments, call.rawText);
  const reason = message.replaceAll(/\s+/g, " ").trim() || NO_REASON;
  const built = await refusedAfter(
    { errors: [{ message: reason }] },
    { input, output, text },
    plan,
  );
  return built.errors[0]?.message ?? NO_REASON;
}
