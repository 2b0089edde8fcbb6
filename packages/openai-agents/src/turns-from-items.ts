import type { AgentInputItem } from "@openai/agents";
import type { ModelTurn, TurnCall, TurnResult } from "@toolcontract/core";
import { isRecord, toTurnResult, type VerdictBook } from "@toolcontract/core/adapter";

/**
 * Reads the model's turns from the items of a request, oldest first, for countAttempts.
 *
 * @param book - What this process knows of a call: the marker of its answer, and its name. Of all others the text is read, because
 * items have no place for more.
 */
export function turnsFromItems(
  items: readonly AgentInputItem[],
  book: Pick<VerdictBook, "markerOf" | "nameOf">,
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
        name: book.nameOf(item.callId) ?? item.name,
        arguments: item.arguments,
      });
    } else if (item.type === "function_call_result") {
      isOpen = false;
      const content = textOfOutput(item.output);
      const result = toTurnResult(item.callId, content, book.markerOf(item.callId));
      turns.at(-1)?.results.push(result);
    } else if ("role" in item && item.role === "user") afterUserMessage = true;
  }
  // The message to come may be the first after a user's.
  return afterUserMessage ? [...turns, { calls: [], results: [], afterUserMessage }] : turns;
}

/** Whether the items have a message of the user, so that a run begins with them. */
export function hasUserMessage(input: string | readonly AgentInputItem[]): boolean {
  return typeof input === "string" || input.some((item) => "role" in item && item.role === "user");
}

/** A result is a string, a part with a text, or a list of parts. */
function textOfOutput(output: unknown): string {
  if (typeof output === "string") return output;
  if (Array.isArray(output)) return output.map(textOfOutput).join("");
  return isRecord(output) && typeof output["text"] === "string" ? output["text"] : "";
}
