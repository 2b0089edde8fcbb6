import type { SeenMessage } from "@toolcontract/case-table/sessions";

/** A message of a prompt or of a conversation, in every version. */
interface Message {
  readonly role: SeenMessage["role"];
  readonly content: unknown;
}

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly toolCallId?: string;
  readonly output?: { readonly type: string; readonly value?: unknown };
}

/** Messages as the table of sessions compares them; a tool message becomes one for each result. */
export function seenMessages(messages: readonly Message[]): readonly SeenMessage[] {
  return messages.flatMap(({ role, content }): readonly SeenMessage[] => {
    const parts = (
      typeof content === "string" ? [{ type: "text", text: content }] : content
    ) as readonly Part[];
    if (role === "tool") {
      return parts.flatMap(({ toolCallId, output }) =>
        toolCallId === undefined ? [] : [{ role, text: outputText(output), id: toolCallId }],
      );
    }
    const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    if (role !== "assistant") return [{ role, text }];
    const calls = parts.flatMap(({ type, toolCallId }) =>
      type === "tool-call" && toolCallId !== undefined ? [toolCallId] : [],
    );
    return [{ role, text, calls }];
  });
}

function outputText(output: Part["output"]): string {
  const { type, value } = output ?? { type: "" };
  if (type !== "content") return typeof value === "string" ? value : JSON.stringify(value);
  return (value as readonly Part[])
    .map((part) => (part.type === "text" ? part.text : "[image]"))
    .join("");
}
