import { type Json, type WireForm, type WireTurn, deltasOf, usageOf } from "./turn.ts";

const STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

/** Gemini's generateContent, as documented: arguments are objects, also in a stream. */
export const gemini: WireForm = {
  body: (turn) => chunkOf(turn, partsOf(turn, Infinity), true),
  events(turn) {
    const parts = partsOf(turn, turn.delta ?? Infinity);
    const last = parts.length - 1;
    const chunks = parts.map((part, index) => chunkOf(turn, [part], index === last));
    return chunks.length === 0 ? [chunkOf(turn, [], true)] : chunks;
  },
  error: ({ status, message, code = STATUSES[status] ?? "INTERNAL" }) => ({
    error: { code: status, message, status: code },
  }),
};

function partsOf(turn: WireTurn, delta: number): readonly Json[] {
  const { text, reasoning, calls = [] } = turn;
  const split = (whole: string | undefined): readonly string[] =>
    whole === undefined ? [] : deltasOf(whole, { delta });
  return [
    ...split(reasoning).map((part) => ({ text: part, thought: true })),
    ...split(text).map((part) => ({ text: part })),
    ...calls.map(({ id, name, input }) => ({
      functionCall: { id, name, args: JSON.parse(input) as unknown },
    })),
  ];
}

function chunkOf(turn: WireTurn, parts: readonly Json[], isLast: boolean): Json {
  const { id = "reply_1", model = "m", finishReason } = turn;
  const reason = finishReason === "length" ? "MAX_TOKENS" : "STOP";
  return {
    candidates: [
      { index: 0, content: { role: "model", parts }, ...(isLast && { finishReason: reason }) },
    ],
    ...(isLast && usageField(turn)),
    modelVersion: model,
    responseId: id,
  };
}

function usageField(turn: WireTurn): Json {
  const usage = usageOf(turn);
  if (usage === undefined) return {};
  const { input, output, cached } = usage;
  return {
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output,
      totalTokenCount: input + output,
      ...(cached !== undefined && { cachedContentTokenCount: cached }),
    },
  };
}
