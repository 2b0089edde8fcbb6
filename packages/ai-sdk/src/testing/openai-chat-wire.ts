import { type Json, openaiChat } from "@toolcontract/wire";
import { importProviders } from "./providers.ts";
import type { WireApi } from "./wire.ts";

/** OpenAI's chat completions, as documented. */
export const openaiChatWire: WireApi = {
  name: "OpenAI chat",
  async model(version, fetch) {
    const { createOpenAI } = await importProviders(version);
    return createOpenAI({ apiKey: "none", fetch }).chat("gpt-4.1");
  },
  ...openaiChat,
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

function messagesOf(request: Json): readonly Json[] {
  return request["messages"] as readonly Json[];
}
