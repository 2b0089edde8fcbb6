import { type Json, type WireForm, type WireTurn, deltasOf, usageOf } from "./turn.ts";

/** OpenAI's responses, as documented. */
export const openaiResponses: WireForm = {
  body: (turn) => responseOf(turn, "end", itemsOf(turn)),
  events: (turn) => eventsOf(turn).map((event, sequence_number) => ({ ...event, sequence_number })),
  error: ({ status, message, code = null }) => ({
    error: {
      message,
      type: status < 500 ? "invalid_request_error" : "server_error",
      param: null,
      code,
    },
  }),
};

function responseOf(turn: WireTurn, at: "start" | "end", output: readonly Json[]): Json {
  const { id = "resp_1", model = "m" } = turn;
  const isCut = turn.finishReason === "length";
  const status = at === "start" ? "in_progress" : isCut ? "incomplete" : "completed";
  return {
    id,
    object: "response",
    created_at: 1,
    status,
    error: null,
    incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
    instructions: null,
    metadata: {},
    model,
    output,
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    ...(at === "end" && usageField(turn)),
  };
}

function itemsOf(turn: WireTurn): readonly Json[] {
  const { id = "resp_1", text, reasoning, calls = [], finishReason } = turn;
  const status = finishReason === "length" ? "incomplete" : "completed";
  const thought = {
    type: "reasoning",
    id: `rs_${id}`,
    summary: [{ type: "summary_text", text: reasoning }],
  };
  return [
    ...(reasoning === undefined ? [] : [thought]),
    ...(text === undefined ? [] : [messageItem(id, status, [textPart(text)])]),
    ...calls.map(({ id: call_id, name, input }, index) => {
      return {
        type: "function_call",
        id: `fc_${id}_${index}`,
        call_id,
        name,
        arguments: input,
        status,
      };
    }),
  ];
}

function messageItem(id: string, status: string, content: readonly Json[]): Json {
  return { type: "message", id: `msg_${id}`, role: "assistant", status, content };
}

function textPart(text: string): Json {
  return { type: "output_text", text, annotations: [] };
}

function eventsOf(turn: WireTurn): readonly Json[] {
  const items = itemsOf(turn);
  const isCut = turn.finishReason === "length";
  return [
    { type: "response.created", response: responseOf(turn, "start", []) },
    { type: "response.in_progress", response: responseOf(turn, "start", []) },
    ...items.flatMap((item, output_index) => itemEvents(item, output_index, turn)),
    {
      type: isCut ? "response.incomplete" : "response.completed",
      response: responseOf(turn, "end", items),
    },
  ];
}

function itemEvents(item: Json, output_index: number, turn: WireTurn): readonly Json[] {
  const done = { type: "response.output_item.done", output_index, item };
  const added = (start: Json): Json => ({
    type: "response.output_item.added",
    output_index,
    item: { ...item, status: "in_progress", ...start },
  });
  const place = { item_id: item["id"], output_index };
  if (item["type"] === "function_call") {
    const input = String(item["arguments"]);
    const deltas = deltasOf(input, turn).map((delta) => {
      return { type: "response.function_call_arguments.delta", ...place, delta };
    });
    const end = { type: "response.function_call_arguments.done", ...place, arguments: input };
    return [added({ arguments: "" }), ...deltas, end, done];
  }
  if (item["type"] === "message") {
    const { text = "" } = turn;
    const part = { ...place, content_index: 0 };
    const deltas = deltasOf(text, turn).map((delta) => {
      return { type: "response.output_text.delta", ...part, delta, logprobs: [] };
    });
    return [
      added({ content: [] }),
      { type: "response.content_part.added", ...part, part: textPart("") },
      ...deltas,
      { type: "response.output_text.done", ...part, text, logprobs: [] },
      { type: "response.content_part.done", ...part, part: textPart(text) },
      done,
    ];
  }
  return [added({}), done];
}

function usageField(turn: WireTurn): Json {
  const usage = usageOf(turn);
  if (usage === undefined) return {};
  const { input, output, cached = 0 } = usage;
  return {
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  };
}
