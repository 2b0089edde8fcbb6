import type { AssistantModelMessage, ModelMessage } from "ai";

type Part = Exclude<AssistantModelMessage["content"], string>[number];

interface CallingMessage extends AssistantModelMessage {
  readonly content: Exclude<AssistantModelMessage["content"], string>;
}

/**
 * The messages with an object for the arguments of every refused call; the same list where all of them have one.
 *
 * Version 5 keeps malformed arguments as text while streaming, and Anthropic refuses a history with such a call.
 */
export function replayable(messages: ModelMessage[]): ModelMessage[] {
  const refused = new Set(messages.flatMap(refusedIn));
  const isUnread = (part: Part): boolean =>
    part.type === "tool-call" && typeof part.input === "string" && refused.has(part.toolCallId);
  const isCalling = (message: ModelMessage): message is CallingMessage =>
    message.role === "assistant" &&
    typeof message.content !== "string" &&
    message.content.some(isUnread);
  if (!messages.some(isCalling)) return messages;
  const readable = (part: Part): Part => (isUnread(part) ? ({ ...part, input: {} } as Part) : part);
  return messages.map((message) =>
    isCalling(message) ? { ...message, content: message.content.map(readable) } : message,
  );
}

function refusedIn(message: ModelMessage): readonly string[] {
  if (message.role !== "tool") return [];
  return message.content.flatMap((part) =>
    part.type === "tool-result" && part.output.type === "error-text" ? [part.toolCallId] : [],
  );
}
