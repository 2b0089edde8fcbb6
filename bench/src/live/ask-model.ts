import OpenAI from "openai";
import type { CorpusTool } from "../corpus.ts";

/** What a model was told of one call: each of its tries, and the answer to it. */
interface Talk {
  readonly tool: CorpusTool;
  readonly tries: readonly { readonly sent: string; readonly answer: string }[];
}

/** A model's next try. */
interface Reply {
  /** The text of its arguments; undefined if it calls no tool. */
  readonly sent: string | undefined;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Asks a model for its next try. */
export type AskModel = (model: string, talk: Talk) => Promise<Reply>;

/** The request is not in the data, so a model has its own call to go by. */
const TASK = "Call the tool. If a call fails, correct it and call the tool again.";

/** Asks over an endpoint that speaks OpenAI's chat completions. */
export function askOver(baseURL: string, apiKey: string): AskModel {
  const client = new OpenAI({ baseURL, apiKey, maxRetries: 5 });
  return async (model, { tool, tries }) => {
    const { name, description = "" } = tool;
    const parameters = tool.inputSchema as Record<string, unknown>;
    const answer = await client.chat.completions.create({
      model,
      tools: [{ type: "function", function: { name, description, parameters } }],
      messages: [{ role: "user", content: TASK }, ...tries.flatMap(toMessages(name))],
    });
    const [call] = answer.choices[0]?.message.tool_calls ?? [];
    return {
      sent: call?.type === "function" ? call.function.arguments : undefined,
      inputTokens: answer.usage?.prompt_tokens ?? 0,
      outputTokens: answer.usage?.completion_tokens ?? 0,
    };
  };
}

function toMessages(name: string) {
  return (
    { sent, answer }: Talk["tries"][number],
    index: number,
  ): OpenAI.Chat.ChatCompletionMessageParam[] => {
    const id = `call_${index + 1}`;
    const call = { id, type: "function" as const, function: { name, arguments: sent } };
    return [
      { role: "assistant", tool_calls: [call] },
      { role: "tool", tool_call_id: id, content: answer },
    ];
  };
}
