import {
  type Json,
  type WireForm,
  type WireTurn,
  type WireUsage,
  deltasOf,
  usageOf,
} from "./turn.ts";

const REASONS = { stop: "end_turn", length: "max_tokens", "tool-calls": "tool_use" } as const;
const TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  429: "rate_limit_error",
  529: "overloaded_error",
};

/** Anthropic's messages, as documented. */
export const anthropicMessages: WireForm = {
  body: (turn) => ({
    ...headOf(turn),
    usage: usageOfTurn(turn),
    stop_reason: reasonOf(turn),
    content: blocksOf(turn),
  }),
  events: (turn) => [
    {
      type: "message_start",
      // Its output is counted in the end: clients add the two up.
      message: {
        ...headOf(turn),
        usage: { ...usageOfTurn(turn), output_tokens: 0 },
        content: [],
        stop_reason: null,
      },
    },
    ...blockEvents(turn),
    { type: "message_delta", delta: { stop_reason: reasonOf(turn) }, usage: usageOfTurn(turn) },
    { type: "message_stop" },
  ],
  error: ({ status, message, code = TYPES[status] ?? "api_error" }) => ({
    type: "error",
    error: { type: code, message },
  }),
};

function headOf({ id = "msg_1", model = "m" }: WireTurn): Json {
  return { id, type: "message", role: "assistant", model };
}

function reasonOf({ calls = [], finishReason }: WireTurn): string {
  const reason = finishReason ?? (calls.length > 0 ? "tool-calls" : "stop");
  return Object.hasOwn(REASONS, reason) ? REASONS[reason as keyof typeof REASONS] : reason;
}

function blocksOf({ text, reasoning, calls = [] }: WireTurn): readonly Json[] {
  const thought = { type: "thinking", thinking: reasoning, signature: "signed" };
  const made = calls.map(({ id, name, input }) => {
    return { type: "tool_use", id, name, input: JSON.parse(input) as unknown };
  });
  return [
    ...(reasoning === undefined ? [] : [thought]),
    ...(text === undefined ? [] : [{ type: "text", text }]),
    ...made,
  ];
}

/** Arguments are a string only in a stream, where they may be invalid JSON. */
function blockEvents(turn: WireTurn): readonly Json[] {
  const { text, reasoning, calls = [] } = turn;
  const made = calls.map(({ id, name, input }) => ({
    content_block: { type: "tool_use", id, name, input: {} },
    deltas: deltasOf(input, turn).map((part) => ({ type: "input_json_delta", partial_json: part })),
  }));
  const blocks = [
    ...(reasoning === undefined ? [] : [thinkingBlock(reasoning, turn)]),
    ...(text === undefined ? [] : [textBlock(text, turn)]),
    ...made,
  ];
  return blocks.flatMap(({ content_block, deltas }, index) => [
    { type: "content_block_start", index, content_block },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ]);
}

interface Block {
  readonly content_block: Json;
  readonly deltas: readonly Json[];
}

function textBlock(text: string, turn: WireTurn): Block {
  const deltas = deltasOf(text, turn).map((part) => ({ type: "text_delta", text: part }));
  return { content_block: { type: "text", text: "" }, deltas };
}

function thinkingBlock(reasoning: string, turn: WireTurn): Block {
  const parts = deltasOf(reasoning, turn).map((part) => ({
    type: "thinking_delta",
    thinking: part,
  }));
  return {
    content_block: { type: "thinking", thinking: "", signature: "" },
    deltas: [...parts, { type: "signature_delta", signature: "signed" }],
  };
}

/** Anthropic always reports usage, and counts apart what went through a cache. */
function usageOfTurn(turn: WireTurn): Json {
  const { input, output, cached, written }: WireUsage = usageOf(turn) ?? { input: 0, output: 0 };
  const wrote = written === undefined ? 0 : written.minutes + written.hour;
  return {
    input_tokens: input - (cached ?? 0) - wrote,
    output_tokens: output,
    ...(cached !== undefined && { cache_read_input_tokens: cached }),
    ...(written && {
      cache_creation_input_tokens: wrote,
      cache_creation: {
        ephemeral_5m_input_tokens: written.minutes,
        ephemeral_1h_input_tokens: written.hour,
      },
    }),
  };
}
