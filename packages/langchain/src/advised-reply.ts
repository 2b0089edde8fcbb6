import { type MessageContent, ToolMessage } from "@langchain/core/messages";

/** The tool's message with a note of the contract behind its content. */
export function withNote(reply: ToolMessage, note: string): ToolMessage {
  if (note.trim() === "") return reply;
  const { content, tool_call_id, name, status, artifact, id, metadata } = reply;
  const blocks = (list: readonly unknown[]): MessageContent =>
    [...list, { type: "text", text: note.trim() }] as MessageContent;
  const fields = {
    content: typeof content === "string" ? content + note : blocks(content),
    additional_kwargs: reply.additional_kwargs,
    response_metadata: reply.response_metadata,
    artifact: artifact as unknown,
    tool_call_id,
    name,
    status,
    id,
    metadata,
  };
  return new ToolMessage(fields as ConstructorParameters<typeof ToolMessage>[0]);
}
