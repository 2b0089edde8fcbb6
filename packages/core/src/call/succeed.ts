import { type CallInProgress, countValid, countedName } from "./progress.ts";
import type { Lane } from "../shared/index.ts";
import { recoveryEntry } from "../observe/index.ts";
import { shownCorrelation } from "./refuse.ts";

/** Records that a call succeeded in a lane; returns the number of its attempt. */
export async function countSuccess(progress: CallInProgress, lane: Lane): Promise<number> {
  const attempt = await countValid(progress, lane);
  if (attempt > 1) announceRecovery(progress, lane, attempt);
  return attempt;
}

/** Reports a call that succeeded after failed attempts of its tool, once a turn. */
function announceRecovery(progress: CallInProgress, lane: Lane, attempt: number): void {
  const { call, tool, context, services } = progress;
  const { faults, sanitizer } = services;
  const { conversationId, turnId, correlationId: given = conversationId } = context;
  const toolName = countedName(tool);
  const turn = JSON.stringify(["recovered", conversationId, turnId, toolName, lane]);
  if (!services.isFirst(turn)) return;
  const correlationId = shownCorrelation(given, sanitizer);
  const recovered = { toolName, lane, attempt };
  faults.log(recoveryEntry({ ...recovered, correlationId }));
  services.recovered(toolName);
  const event = { ...recovered, toolCallId: call.id, conversationId, correlationId };
  faults.events.emit("call-recovered", () => event);
}
