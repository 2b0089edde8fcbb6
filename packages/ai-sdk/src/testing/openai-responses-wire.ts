import type { Json, WireTurn } from "@toolcontract/wire";
import { importProviders } from "./providers.ts";
import type { WireApi } from "./wire.ts";

const head = { id: "resp_1", object: "response", created_at: 1, model: "m" };
const usage = { input_tokens: 1, output_tokens: 1 };

/** OpenAI's responses, as documented. */
export const openaiResponsesWire: WireApi = {
  name: "OpenAI responses",
  async model(version, fetch) {
    const { createOpenAI } = await importProviders(version);
    return createOpenAI({ apiKey: "none", fetch }).responses("gpt-4.1");
  },
  body: (turn) => ({ ...head, usage, output: itemsOf(turn) }),
  events: (turn) => [
    { type: "response.created", response: head },
    ...itemsOf(turn).flatMap(eventsOf),
    { type: "response.completed", response: { ...head, usage } },
  ],
  results: (request) =>
    itemsIn(request, "function_call_output").map(({ call_id: id, output }) => {
      return { id, text: String(output) };
    }),
  replayed: (request) => itemsIn(request, "function_call").map((item) => item["arguments"]),
  schemas: (request) =>
    ((request["tools"] ?? []) as readonly Json[]).map((tool) => tool["parameters"]),
};

function itemsOf({ text, calls = [] }: WireTurn): readonly Json[] {
  const content = [{ type: "output_text", text, annotations: [] }];
  const said = { type: "message", id: "msg_1", role: "assistant", status: "completed", content };
  const made = calls.map(({ id, name, input }) => {
    const ids = { id: `fc_${id}`, call_id: id };
    return { type: "function_call", ...ids, name, arguments: input, status: "completed" };
  });
  return [...(text === undefined ? [] : [said]), ...made];
}

function eventsOf(item: Json, output_index: number): readonly Json[] {
  const { id: item_id, type } = item;
  const [empty, delta] =
    type === "message"
      ? [{ content: [] }, deltaOf("output_text", (item["content"] as readonly Json[])[0]?.["text"])]
      : [{ arguments: "" }, deltaOf("function_call_arguments", item["arguments"])];
  return [
    { type: "response.output_item.added", output_index, item: { ...item, ...empty } },
    { ...delta, item_id, output_index },
    { type: "response.output_item.done", output_index, item },
  ];
}

function deltaOf(kind: string, delta: unknown): Json {
  return { type: `response.${kind}.delta`, delta };
}

function itemsIn(request: Json, type: string): readonly Json[] {
  return (request["input"] as readonly Json[]).filter((item) => item["type"] === type);
}
