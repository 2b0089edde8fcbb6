import { importProviders } from "./providers.ts";
import type { ScriptedTurn } from "./scripted-model.ts";
import type { Json, WireApi } from "./wire.ts";

const head = { id: "chat_1", created: 1, model: "m" };
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/** OpenAI's chat completions, as documented. */
export const openaiChatWire: WireApi = {
  name: "OpenAI chat",
  async model(version, fetch) {
    const { createOpenAI } = await importProviders(version);
    return createOpenAI({ apiKey: "none", fetch }).chat("gpt-4.1");
  },
  body(turn) {
    const choice = { index: 0, finish_reason: reasonOf(turn), message: messageOf(turn) };
    return { ...head, object: "chat.completion", usage, choices: [choice] };
  },
  events(turn) {
    const chunk = { ...head, object: "chat.completion.chunk" };
    const delta = { index: 0, finish_reason: null, delta: messageOf(turn) };
    const end = { index: 0, finish_reason: reasonOf(turn), delta: {} };
    return [
      { ...chunk, choices: [delta] },
      { ...chunk, choices: [end] },
      { ...chunk, choices: [], usage },
    ];
  },
  results: (request) =>
    messagesOf(request)
      .filter((message) => message["role"] === "tool")
      .map(({ tool_call_id: id, content }) => ({ id, text: String(content) })),
  replayed: (request) =>
    messagesOf(request)
      .flatMap((message) => (message["tool_calls"] ?? []) as readonly Json[])
      .map((call) => (call["function"] as Json)["arguments"]),
  schemas: (request) =>
    ((request["tools"] ?? []) as readonly { readonly function: Json }[]).map(
      (tool) => tool.function["parameters"],
    ),
};

function reasonOf({ calls = [] }: ScriptedTurn): string {
  return calls.length > 0 ? "tool_calls" : "stop";
}

function messageOf({ text, calls = [] }: ScriptedTurn): Json {
  const tool_calls = calls.map(({ id, name, input }, index) => {
    return { index, id, type: "function", function: { name, arguments: input } };
  });
  return {
    role: "assistant",
    content: text ?? null,
    ...(tool_calls.length > 0 && { tool_calls }),
  };
}

function messagesOf(request: Json): readonly Json[] {
  return request["messages"] as readonly Json[];
}
