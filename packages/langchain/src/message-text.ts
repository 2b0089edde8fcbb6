import type { BaseMessage } from "@langchain/core/messages";
import { isRecord } from "@toolcontract/core/adapter";

/** The text of a message; blocks of other kinds have none. */
export function textOf({ content }: BaseMessage): string {
  if (typeof content === "string") return content;
  const texts = (content as readonly unknown[]).map((block) =>
    isRecord(block) && typeof block["text"] === "string" ? block["text"] : "",
  );
  return texts.join("");
}
