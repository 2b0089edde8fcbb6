import { listOf, memberOf, reasonOf, textOf } from "./member.ts";
import { KeptTexts, type WireTexts, asSent, isThere } from "./kept-texts.ts";
import { type WirePicture, picturesOf, wordsOf } from "./pictures.ts";
import { type Answered, CUT, type RawCall, type WireTurn, answeredId, turnOf } from "./turn.ts";

/** A response of Gemini's `generateContent`, of the SDK or of the wire. */
interface GeminiResponse {
  readonly responseId?: string | undefined;
  readonly candidates?:
    | readonly {
        readonly finishReason?: string | undefined;
        readonly content?: { readonly parts?: readonly object[] | undefined } | undefined;
      }[]
    | undefined;
}

/** The answers to the calls of a content of Gemini: one content. */
interface GeminiAnswers {
  role: "user";
  parts: {
    functionResponse: {
      /** Only if the call came with an id. */
      id?: string;
      name: string;
      response: Record<string, unknown>;
      parts?: { inlineData: { mimeType: string; data: string } }[];
    };
  }[];
}

/** Reads and writes the contents of Gemini. */
export interface GeminiWire {
  /** Reads the calls of a response; `texts` of its stream, in place of the response or beside it. */
  read(response: GeminiResponse | undefined, texts?: WireTexts): WireTurn;
  /** The content after the model's, with one answer for each call, in order. */
  write(handled: readonly Answered[]): GeminiAnswers[];
  /** For one streamed content: add each chunk. */
  texts(): WireTexts;
}

/**
 * Gemini's `generateContent`.
 *
 * @example
 * ```ts
 * const { calls, ...turn } = gemini.read(generated);
 * const handled = await contract.handleTurn(calls, { tools, execute, conversationId: "thread-7", ...turn });
 * contents.push(...gemini.write(handled));
 * ```
 * @see docs/your-own-loop.md
 */
export const gemini: GeminiWire = {
  read(response, texts) {
    const candidate = memberOf(response, "candidates", 0);
    const parts = listOf(memberOf(candidate, "content", "parts"));
    const raw = {
      calls: parts.flatMap(rawCall),
      turnId: textOf(memberOf(response, "responseId")),
      finishReason: reasonAt(parts, reasonOf(memberOf(candidate, "finishReason"))),
    };
    return turnOf(asSent(raw, texts, isThere(response)));
  },
  write: (handled) =>
    handled.length === 0
      ? []
      : [{ role: "user", parts: handled.map((one) => ({ functionResponse: answerTo(one) })) }],
  texts: () => new KeptTexts(addChunk),
};

function answerTo(answered: Answered): GeminiAnswers["parts"][number]["functionResponse"] {
  const { result } = answered;
  const pictures = picturesOf(answered);
  const words = wordsOf(answered, pictures);
  return {
    ...(result.wire?.["id"] === undefined && { id: answeredId(result) }),
    name: result.toolName,
    response: result.isError ? { error: words } : { output: words },
    ...(pictures.length > 0 && { parts: pictures.map(inlineData) }),
  };
}

function inlineData({ data, mimeType }: WirePicture): { inlineData: WirePicture } {
  return { inlineData: { mimeType, data } };
}

function rawCall(part: unknown): readonly RawCall[] {
  const call = memberOf(part, "functionCall");
  if (typeof call !== "object" || call === null) return [];
  const args = memberOf(call, "args");
  // The arguments of a call in parts are not put together here.
  const isPart = memberOf(call, "willContinue") === true || memberOf(call, "partialArgs");
  return [
    {
      id: memberOf(call, "id"),
      name: memberOf(call, "name"),
      arguments: args === undefined && isPart ? CUT : args,
    },
  ];
}

/** What was cut is the last part: if that is not a call, the calls before it are whole. */
function reasonAt(
  parts: readonly unknown[],
  reason: string | null | undefined,
): string | null | undefined {
  const isCut = reason === "MAX_TOKENS" && parts.length > 0;
  return isCut && memberOf(parts.at(-1), "functionCall") === undefined ? undefined : reason;
}

function addChunk(chunk: unknown, kept: KeptTexts): void {
  const candidate = memberOf(chunk, "candidates", 0);
  kept.turnId ??= textOf(memberOf(chunk, "responseId"));
  const parts = listOf(memberOf(candidate, "content", "parts"));
  for (const { arguments: value = {}, ...call } of parts.flatMap(rawCall)) {
    kept.call(kept.size, { ...call, value });
  }
  const reason = reasonOf(memberOf(candidate, "finishReason"));
  kept.finishReason = reason === undefined ? (kept.finishReason ?? null) : reasonAt(parts, reason);
}
