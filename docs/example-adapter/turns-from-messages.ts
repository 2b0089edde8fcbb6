import type { ModelTurn, TurnResult } from "@toolcontract/core";
import { readResultMarker } from "@toolcontract/core/adapter";
import type { MiniMessage } from "./mini-framework.ts";

/** Reads the model's turns from the messages, oldest first, for countAttempts. */
export function turnsFromMessages(messages: readonly MiniMessage[]): readonly ModelTurn[] {
  const turns: (ModelTurn & { readonly results: TurnResult[] })[] = [];
  let afterUserMessage = false;
  for (const message of messages) {
    if (message.role === "user") afterUserMessage = true;
    if (message.role === "model") {
      const calls = message.calls.map(({ id, tool, text }) => ({
        id,
        name: tool,
        arguments: text,
      }));
      turns.push({ calls, results: [], afterUserMessage });
      afterUserMessage = false;
    }
    if (message.role === "tool") {
      const { callId: toolCallId, failed: isError, text: content, meta } = message;
      const marker = readResultMarker(meta);
      turns.at(-1)?.results.push({ toolCallId, isError, content, ...(marker && { marker }) });
    }
  }
  return turns;
}
