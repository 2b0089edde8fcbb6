import type { AgentInputItem } from "@openai/agents";
import {
  type ModelTurn,
  type ResultMarker,
  type TurnCall,
  type TurnResult,
} from "@toolcontract/core";
import { isRecord, toTurnResult } from "@toolcontract/core/adapter";

/** What is known of calls besides their items. */
export interface KnownCalls {
  readonly markerOf: (callId: string) => ResultMarker | undefined;
  /** The name that the model wrote, if the item has another. */
  readonly nameOf: (callId: string) => string | undefined;
}

/**
 * Reads the model's turns from the items of a request, oldest first, for countAttempts.
 *
 * @param known - What this process knows of a call: the marker of its answer, and its name. Of all others the text is read, because
 * items have no place for more.
 */
export function turnsFromItems(
  items: readonly AgentInputItem[],
  known: KnownCalls,
): readonly ModelTurn[] {
  const turns: { calls: TurnCall[]; results: TurnResult[]; afterUserMessage: boolean }[] = [];
  let afterUserMessage = false;
  let isOpen = false;
  for (const item of items) {
    if (item.type === "function_call") {
      if (!isOpen) turns.push({ calls: [], results: [], afterUserMessage });
      isOpen = true;
      afterUserMessage = false;
      turns.at(-1)?.calls.push({
        id: item.callId,
        name: known.nameOf(item.callId) ?? item.name,
        arguments: item.arguments,
      });
    } else if (item.type === "function_call_result") {
      isOpen = false;
      const content = textOf(item.output);
      const result = toTurnResult(item.callId, content, known.markerOf(item.callId));
      turns.at(-1)?.results.push(result);
    } else if ("role" in item && item.role === "user") afterUserMessage = true;
  }
  return turns;
}

/** Whether the items have a message of the user, so that a run begins with them. */
export function hasUserMessage(input: string | readonly AgentInputItem[]): boolean {
  return typeof input === "string" || input.some((item) => "role" in item && item.role === "user");
}

/** A result is a string, a part with a text, or a list of parts. */
function textOf(output: unknown): string {
  if (typeof output === "string") return output;
  if (Array.isArray(output)) return output.map(textOf).join("");
  return isRecord(output) && typeof output["text"] === "string" ? output["text"] : "";
}
