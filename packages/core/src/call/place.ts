import { type CallInProgress, attemptNumber, stageLanes } from "./progress.ts";
import type { StageContext } from "../shared/index.ts";

/** What rules and stages know about a call besides its tool and arguments. */
export type CallPlace = Omit<StageContext, "tool" | "signal" | "reports">;

/** What is known about a call that is under way; the numbers of its attempts only for a stage. */
export async function placeOf(
  progress: CallInProgress,
  attempt: number,
): Promise<CallPlace & Required<Pick<CallPlace, "call" | "attempts">>> {
  const { call, context, services } = progress;
  const { conversationId, turnId, runId, runsHere } = context;
  const lanes = stageLanes(services.options);
  const numbers = await Promise.all(
    lanes.map(async (lane) => [lane, await attemptNumber(progress, lane)] as const),
  );
  return {
    call,
    callId: call.id,
    conversationId,
    turnId,
    ...(runId !== undefined && { runId }),
    ...(runsHere !== undefined && { runsHere }),
    attempt,
    attempts: Object.fromEntries(numbers),
  };
}
