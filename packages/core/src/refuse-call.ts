import type { Blocked, Rejected } from "./admission.ts";
import { hashArguments } from "./attempts/arguments-hash.ts";
import { toAttemptErrors } from "./attempts/attempt-error.ts";
import { attemptKey, type CallInProgress, tracked } from "./call-in-progress.ts";
import type { InvalidArguments } from "./check-result.ts";
import { labelOf } from "./contract-services.ts";
import { recordOf, refuse } from "./refuse.ts";

/** Counts an invalid call as a failed attempt and answers it. */
export async function refuseCall(
  progress: CallInProgress,
  result: InvalidArguments,
): Promise<Rejected | Blocked> {
  const { call, tool, context, services } = progress;
  const { errors, repairs } = result;
  // Undeclared tools share one count, so that their names tell their calls apart.
  const argumentsHash = hashArguments(tool ? call.arguments : [call.name, call.arguments]);
  const failure = { ...context, argumentsHash, errors: toAttemptErrors(errors) };
  const counted = await tracked(progress, async () =>
    services.tracker.recordFailure(attemptKey(progress), failure),
  );
  // Without a working store every failure counts as the first.
  const { attempt, settled, history, repeats } = counted ?? {
    attempt: 1,
    settled: false,
    history: [recordOf({ attempt: 1, argumentsHash, errors })],
  };
  const { conversationId, correlationId = conversationId } = context;
  const label = labelOf(tool);
  const answer = await refuse(
    {
      ...result,
      call,
      tool,
      label,
      argumentsHash,
      attempt,
      settled,
      history,
      conversationId,
      correlationId,
      ...(repeats !== undefined && { repeats }),
    },
    services,
  );
  services.record({
    toolName: label,
    toolCallId: call.id,
    outcome: answer.status,
    codes: errors.map((error) => error.errorCode),
    repaired: repairs.length > 0,
  });
  return answer;
}
