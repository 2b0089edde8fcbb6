import { ToolMessage } from "@langchain/core/messages";
import { textOfMessage } from "./messages.ts";

/** Reads the tool names out of LangChain's own answer to an unknown tool; undefined for every other answer. */
export function readUnknownToolReply(reply: unknown, name: string): readonly string[] | undefined {
  if (!ToolMessage.isInstance(reply) || reply.status === "success") return undefined;
  const text = textOfMessage(reply);
  if (!text.startsWith(`Error: ${name} is not a valid tool`)) return undefined;
  const list = /try one of \[(.*)\]\.\s*$/s.exec(text)?.[1] ?? "";
  return list.split(", ").filter((one) => one !== "");
}
