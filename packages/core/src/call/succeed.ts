import { type CallInProgress, countValid, countedName, stageLanes } from "./progress.ts";
import { type Lane, all } from "../shared/index.ts";
import { recoveryEntry } from "../observe/index.ts";
import { shownCorrelation } from "./refuse.ts";

/** Records that a call succeeded in the lanes of the stage; `attempt` is its number among those with invalid arguments. */
export async function recordSuccess(progress: CallInProgress, attempt: number): Promise<void> {
  const lanes = stageLanes(progress.services.options);
  const attempts = await all(lanes.map((lane) => countValid(progress, lane)));
  announceRecovery(progress, "validation", attempt);
  for (const [index, lane] of lanes.entries())
    announceRecovery(progress, lane, attempts[index] ?? 1);
}

/** Reports a call that succeeded after failed attempts of its tool, once a turn. */
function announceRecovery(progress: CallInProgress, lane: Lane, attempt: number): void {
  if (attempt === 1) return;
  const { call, tool, context, services } = progress;
  const { faults, sanitizer } = services;
  const { conversationId, turnId, correlationId: given = conversationId } = context;
  const toolName = countedName(tool);
  const turn = JSON.stringify(["recovered", conversationId, turnId, toolName, lane]);
  if (!services.isFirst(turn)) return;
  const correlationId = shownCorrelation(given, sanitizer);
  const recovered = { toolName, lane, attempt };
  faults.log(recoveryEntry({ ...recovered, correlationId }));
  services.recovered(recovered);
  const event = { ...recovered, toolCallId: call.id, conversationId, correlationId };
  faults.events.emit("call-recovered", () => event);
}
