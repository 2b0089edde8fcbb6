"use client";

import { useChat } from "@ai-sdk/react";
import { parseRejection } from "@toolcontract/core";
import { isToolUIPart, type UIMessage } from "ai";

type ChatMessage = UIMessage<unknown, { escalation: { toolName: string } }>;
type Part = ChatMessage["parts"][number];

export default function Page() {
  const { messages, sendMessage, status } = useChat<ChatMessage>();
  return (
    <main>
      {messages.map(({ id, role, parts }) => (
        <article key={id}>
          <strong>{role}</strong>
          {parts.map((part, index) => (
            <p key={index}>{wordsOf(part)}</p>
          ))}
        </article>
      ))}
      <form action={(data) => sendMessage({ text: String(data.get("text")) })}>
        <input name="text" disabled={status !== "ready"} placeholder="A table for two?" />
      </form>
    </main>
  );
}

/** What a user sees of a part: a refused call is between the model and the contract, until it escalates. */
function wordsOf(part: Part): string | undefined {
  if (part.type === "text") return part.text;
  if (part.type === "data-escalation") return `I cannot do this. A person will look at it.`;
  if (!isToolUIPart(part)) return undefined;
  if (part.state === "output-available") return String(part.output);
  if (part.state !== "output-error") return "…";
  return parseRejection(part.errorText) === undefined ? "That did not work." : undefined;
}
