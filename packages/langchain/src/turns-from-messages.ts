import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import type { ModelTurn, TurnCall, TurnResult } from "@toolcontract/core";
import { readMarker } from "./artifact.ts";
import { textOf } from "./message-text.ts";
import { unreadTextOf } from "./raw-text.ts";

interface OpenTurn extends ModelTurn {
  readonly results: TurnResult[];
}

/** Reads the model's turns from messages, oldest first, so that countAttempts can count them. */
export function turnsFromMessages(messages: readonly BaseMessage[]): readonly ModelTurn[] {
  const turns: OpenTurn[] = [];
  const turnOf = new Map<string, OpenTurn>();
  let afterUserMessage = false;
  for (const message of messages) {
    if (HumanMessage.isInstance(message)) afterUserMessage = true;
    if (AIMessage.isInstance(message)) {
      const turn = { calls: callsOf(message), results: [], afterUserMessage };
      turns.push(turn);
      for (const { id } of turn.calls) turnOf.set(id, turn);
      afterUserMessage = false;
    }
    if (ToolMessage.isInstance(message))
      turnOf.get(message.tool_call_id)?.results.push(toResult(message));
  }
  return afterUserMessage ? [...turns, { calls: [], results: [], afterUserMessage }] : turns;
}

function callsOf(message: AIMessage): readonly TurnCall[] {
  return (message.tool_calls ?? []).map((call) => {
    const { id = "", name, args } = call;
    return { id, name, arguments: unreadTextOf(call, message) ?? args };
  });
}

function toResult(message: ToolMessage): TurnResult {
  const marker = readMarker(message.artifact);
  return {
    toolCallId: message.tool_call_id,
    // Middleware that rewrites a message may drop its status; then the text has to tell.
    isError: message.status !== "success",
    content: textOf(message),
    ...(marker && { marker }),
  };
}
