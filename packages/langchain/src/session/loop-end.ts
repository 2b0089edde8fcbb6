import { AIMessage, SystemMessage } from "@langchain/core/messages";
import { RunOver } from "@toolcontract/session/adapter";
import type { HookedRequest } from "../hooks.ts";
import type { CurrentRun } from "./current-run.ts";
import { systemTextOf } from "./model-turn.ts";

/** Keeps the system message of the first request for the conversation. */
export function noteSystem(current: CurrentRun, request: HookedRequest): void {
  const text = systemTextOf(request);
  if (text !== "") current.system ??= request.systemMessage ?? new SystemMessage(text);
}

/**
 * Lets the loop end without asking the model: its last answer again, which takes the place of the same message in the
 * state, so that the last message is a tool's result and nothing follows.
 *
 * @throws RunOver, which ends the graph, if that would not do: middleware with a node after the model's would read the
 *   answer as a new one, and a person would be asked again to approve its calls.
 */
export function endLoop(current: CurrentRun, { state }: HookedRequest): AIMessage {
  const last = state.messages.findLast((message) => AIMessage.isInstance(message));
  const isNew = last === undefined || current.isWatched || current.wasEnded;
  current.wasEnded = true;
  if (isNew) throw new RunOver();
  return last;
}
