import { ToolMessage } from "@langchain/core/messages";
import { textOf } from "./message-text.ts";

/**
 * Reads LangChain's own answer to a call of a tool that nobody has, which lists those that there are; undefined for
 * every other answer.
 */
export function readUnknownToolReply(reply: unknown, name: string): readonly string[] | undefined {
  if (!ToolMessage.isInstance(reply) || reply.status === "success") return undefined;
  const text = textOf(reply);
  if (!text.startsWith(`Error: ${name} is not a valid tool`)) return undefined;
  const list = /try one of \[(.*)\]\.\s*$/s.exec(text)?.[1] ?? "";
  return list.split(", ").filter((one) => one !== "");
}
