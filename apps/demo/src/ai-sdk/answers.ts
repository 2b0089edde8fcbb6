import type { MockLanguageModelV4 } from "ai/test";

/** What a provider receives. */
export type Prompt = MockLanguageModelV4["doGenerateCalls"][number]["prompt"];

/** The answer to a call, as a provider receives it. */
export interface ReadAnswer {
  readonly type: string;
  readonly text: string;
}

/** The messages after the model's own last one. */
export function latestMessages(prompt: Prompt): Prompt {
  return prompt.slice(prompt.findLastIndex(({ role }) => role === "assistant") + 1);
}

/** What the user says in messages; a guarded final answer is answered there. */
export function saidIn(messages: Prompt): string {
  const parts = messages.flatMap((message) => (message.role === "user" ? message.content : []));
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** The answers in messages, by the id of their call. */
export function answersIn(messages: Prompt): ReadonlyMap<string, ReadAnswer> {
  const parts = messages.flatMap((message) => (message.role === "tool" ? message.content : []));
  return new Map(
    parts.flatMap((part): (readonly [string, ReadAnswer])[] =>
      part.type === "tool-result"
        ? [[part.toolCallId, { type: part.output.type, text: textOf(part.output) }]]
        : [],
    ),
  );
}

type ToolMessage = Extract<Prompt[number], { role: "tool" }>;
type Output = Extract<ToolMessage["content"][number], { type: "tool-result" }>["output"];

function textOf(output: Output): string {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "content":
      return output.value
        .map((part) => (part.type === "text" ? part.text : `[${part.type}]`))
        .join("\n");
    case "execution-denied":
      return output.reason ?? "";
    default:
      return JSON.stringify(output.value);
  }
}
