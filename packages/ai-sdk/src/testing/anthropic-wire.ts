import { importProviders } from "./providers.ts";
import type { ScriptedTurn } from "./scripted-model.ts";
import type { Json, SentResult, WireApi } from "./wire.ts";

const head = { id: "msg_1", type: "message", role: "assistant", model: "m" };
const usage = { input_tokens: 1, output_tokens: 1 };

/** Anthropic's messages, as documented. */
export const anthropicWire: WireApi = {
  name: "Anthropic",
  async model(version, fetch) {
    const { createAnthropic } = await importProviders(version);
    return createAnthropic({ apiKey: "none", fetch })("claude-sonnet-4-5");
  },
  body: (turn) => ({ ...head, usage, stop_reason: reasonOf(turn), content: blocksOf(turn) }),
  events: (turn) => [
    { type: "message_start", message: { ...head, usage, content: [], stop_reason: null } },
    ...blockEvents(turn),
    { type: "message_delta", delta: { stop_reason: reasonOf(turn) }, usage },
    { type: "message_stop" },
  ],
  results: (request) =>
    contentOf(request, "tool_result").map((part): SentResult => {
      const { tool_use_id: id, content, is_error: isError } = part;
      return { id, text: String(content), isError };
    }),
  replayed: (request) => contentOf(request, "tool_use").map((part) => part["input"]),
  schemas: (request) =>
    ((request["tools"] ?? []) as readonly Json[]).map((tool) => tool["input_schema"]),
};

function reasonOf({ calls = [] }: ScriptedTurn): string {
  return calls.length > 0 ? "tool_use" : "end_turn";
}

function blocksOf({ text, calls = [] }: ScriptedTurn): readonly Json[] {
  const made = calls.map(({ id, name, input }) => {
    return { type: "tool_use", id, name, input: JSON.parse(input) as unknown };
  });
  return [...(text === undefined ? [] : [{ type: "text", text }]), ...made];
}

/** Arguments are a string only in a stream, where they may be invalid JSON. */
function blockEvents({ text, calls = [] }: ScriptedTurn): readonly Json[] {
  const said = { content_block: { type: "text", text: "" }, delta: { type: "text_delta", text } };
  const made = calls.map(({ id, name, input }) => ({
    content_block: { type: "tool_use", id, name, input: {} },
    delta: { type: "input_json_delta", partial_json: input },
  }));
  const blocks = [...(text === undefined ? [] : [said]), ...made];
  return blocks.flatMap(({ content_block, delta }, index) => [
    { type: "content_block_start", index, content_block },
    { type: "content_block_delta", index, delta },
    { type: "content_block_stop", index },
  ]);
}

function contentOf(request: Json, type: string): readonly Json[] {
  const messages = request["messages"] as readonly { readonly content: unknown }[];
  return messages
    .flatMap(({ content }) => (Array.isArray(content) ? (content as Json[]) : []))
    .filter((part) => part["type"] === type);
}
