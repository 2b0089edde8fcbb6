import { type Json, type WireForm, type WireTurn, deltasOf, usageOf } from "./turn.ts";

const REASONS = { stop: "stop", length: "length", "tool-calls": "tool_calls" } as const;
const CODES: Readonly<Record<number, string>> = {
  401: "invalid_api_key",
  429: "rate_limit_exceeded",
};

/** OpenAI's chat completions, as documented. */
export const openaiChat: WireForm = {
  body(turn) {
    const choice = { index: 0, finish_reason: reasonOf(turn), message: messageOf(turn) };
    return {
      ...headOf(turn),
      object: "chat.completion",
      ...usageField(turn),
      choices: [choice],
    };
  },
  events(turn) {
    const chunk = { ...headOf(turn), object: "chat.completion.chunk" };
    const deltas = [
      { role: "assistant", content: null },
      ...contentDeltas(turn),
      ...callDeltas(turn),
    ];
    const usage = usageField(turn);
    return [
      ...deltas.map((delta) => ({ ...chunk, choices: [{ index: 0, finish_reason: null, delta }] })),
      { ...chunk, choices: [{ index: 0, finish_reason: reasonOf(turn), delta: {} }] },
      ...("usage" in usage ? [{ ...chunk, choices: [], ...usage }] : []),
    ];
  },
  error({ status, message, code = CODES[status] ?? null }) {
    const type = status < 500 ? "invalid_request_error" : "server_error";
    return { error: { message, type, param: null, code } };
  },
};

function headOf({ id = "chat_1", model = "m" }: WireTurn): Json {
  return { id, created: 1, model };
}

function reasonOf({ calls = [], finishReason }: WireTurn): string {
  const reason = finishReason ?? (calls.length > 0 ? "tool-calls" : "stop");
  return Object.hasOwn(REASONS, reason) ? REASONS[reason as keyof typeof REASONS] : reason;
}

function messageOf({ text, reasoning, calls = [] }: WireTurn): Json {
  const tool_calls = calls.map(({ id, name, input }) => {
    return { id, type: "function", function: { name, arguments: input } };
  });
  return {
    role: "assistant",
    content: text ?? null,
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    ...(tool_calls.length > 0 && { tool_calls }),
  };
}

function contentDeltas(turn: WireTurn): readonly Json[] {
  const { text, reasoning } = turn;
  const thought = reasoning === undefined ? [] : deltasOf(reasoning, turn);
  const said = text === undefined ? [] : deltasOf(text, turn);
  return [
    ...thought.map((delta) => ({ reasoning_content: delta })),
    ...said.map((content) => ({ content })),
  ];
}

function callDeltas(turn: WireTurn): readonly Json[] {
  return (turn.calls ?? []).flatMap(({ id, name, input }, index) => {
    const begin = { index, id, type: "function", function: { name, arguments: "" } };
    const rest = deltasOf(input, turn).map((part) => ({ index, function: { arguments: part } }));
    return [begin, ...rest].map((call) => ({ tool_calls: [call] }));
  });
}

function usageField(turn: WireTurn): { readonly usage?: Json } {
  const usage = usageOf(turn);
  if (usage === undefined) return {};
  const { input, output, cached, audio } = usage;
  return {
    usage: {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      ...((cached !== undefined || audio) && {
        prompt_tokens_details: {
          ...(cached !== undefined && { cached_tokens: cached }),
          ...(audio && { audio_tokens: audio.heard }),
        },
      }),
      ...(audio && { completion_tokens_details: { audio_tokens: audio.spoken } }),
    },
  };
}
