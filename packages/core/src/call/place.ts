import { type CallInProgress, attemptNumber, stageLanes } from "./progress.ts";
import { type MaybePromise, type StageContext, all, chain } from "../shared/index.ts";

/** What rules and stages know about a call besides its tool and arguments. */
export type CallPlace = Omit<StageContext, "tool" | "signal" | "reports">;

/** What is known about a call that is under way; the numbers of its attempts only for a stage. */
export function placeOf(
  progress: CallInProgress,
  attempt: number,
): MaybePromise<CallPlace & Required<Pick<CallPlace, "call" | "attempts">>> {
  const { call, context, services } = progress;
  const { conversationId, turnId, runId, knowsRun, runsHere } = context;
  const lanes = stageLanes(services.options);
  const numbers = all(lanes.map((lane) => attemptNumber(progress, lane)));
  return chain(numbers, (known) => ({
    call,
    callId: call.id,
    conversationId,
    turnId,
    ...(runId !== undefined && { runId }),
    ...(knowsRun !== undefined && { knowsRun }),
    ...(runsHere !== undefined && { runsHere }),
    attempt,
    attempts: Object.fromEntries(lanes.map((lane, index) => [lane, known[index] ?? 1])),
  }));
}
