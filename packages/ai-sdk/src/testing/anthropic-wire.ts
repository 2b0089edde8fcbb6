import { anthropicMessages, type Json } from "@toolcontract/wire";
import { importProviders } from "./providers.ts";
import type { SentResult, WireApi } from "./wire.ts";

/** Anthropic's messages, as documented. */
export const anthropicWire: WireApi = {
  name: "Anthropic",
  async model(version, fetch) {
    const { createAnthropic } = await importProviders(version);
    return createAnthropic({ apiKey: "none", fetch })("claude-sonnet-4-5");
  },
  ...anthropicMessages,
  results: (request) =>
    contentOf(request, "tool_result").map((part): SentResult => {
      const { tool_use_id: id, content, is_error: isError } = part;
      return { id, text: String(content), isError };
    }),
  replayed: (request) => contentOf(request, "tool_use").map((part) => part["input"]),
  schemas: (request) =>
    ((request["tools"] ?? []) as readonly Json[]).map((tool) => tool["input_schema"]),
};

function contentOf(request: Json, type: string): readonly Json[] {
  const messages = request["messages"] as readonly { readonly content: unknown }[];
  return messages
    .flatMap(({ content }) => (Array.isArray(content) ? (content as Json[]) : []))
    .filter((part) => part["type"] === type);
}
