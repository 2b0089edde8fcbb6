import { isAnyObject } from "../kit/index.ts";
import { listOf, memberOf, reasonOf } from "./member.ts";
import { KeptTexts, type WireTexts, asSent, isThere } from "./kept-texts.ts";
import { type Answered, type RawCall, type WireTurn, functionCall, turnOf } from "./turn.ts";

/** A response of Ollama's chat API, of the SDK or of the wire. */
interface OllamaResponse {
  readonly done?: boolean | undefined;
  readonly done_reason?: string | undefined;
  readonly message: {
    readonly role?: string | undefined;
    readonly tool_calls?:
      | readonly { readonly function: { readonly name: string; readonly arguments: unknown } }[]
      | undefined;
    /** What Cohere's SDK calls them. */
    readonly toolCalls?: never;
  };
}

/** The answer to a call of Ollama. */
interface OllamaAnswer {
  role: "tool";
  tool_name: string;
  content: string;
  /** Only if the call came with an id. */
  tool_call_id?: string;
}

/** Reads and writes the messages of Ollama. */
export interface OllamaWire {
  /** Reads the calls of a response; `texts` of its stream, in place of the response or beside it. */
  read(response: OllamaResponse | undefined, texts?: WireTexts): WireTurn;
  /** The messages after the assistant's: one for each call, in order. */
  write(handled: readonly Answered[]): OllamaAnswer[];
  /** For one streamed message: add each part. */
  texts(): WireTexts;
}

/**
 * The chat API of Ollama.
 *
 * @example
 * ```ts
 * const { calls, ...turn } = ollama.read(answer);
 * const handled = await contract.handleTurn(calls, { tools, execute, conversationId: "thread-7", ...turn });
 * messages.push(...ollama.write(handled));
 * ```
 * @see docs/your-own-loop.md
 */
export const ollama: OllamaWire = {
  read(response, texts) {
    const raw = { calls: callsOf(response), turnId: undefined, finishReason: endOf(response) };
    return turnOf(asSent(raw, texts, isThere(response)));
  },
  write: (handled) =>
    handled.map(({ result: { toolName, content, toolCallId, wire } }) => ({
      role: "tool",
      tool_name: toolName,
      content,
      ...(wire?.["id"] === undefined && { tool_call_id: toolCallId }),
    })),
  texts: () =>
    new KeptTexts((part, kept) => {
      for (const { arguments: value, ...call } of callsOf(part)) {
        kept.call(kept.size, { ...call, value: value ?? {} });
      }
      kept.finishReason = endOf(part) ?? kept.finishReason ?? null;
    }),
};

function callsOf(response: unknown): readonly RawCall[] {
  return listOf(memberOf(response, "message", "tool_calls"))
    .filter(isAnyObject)
    .map(functionCall);
}

/** The reason comes with the last part of a stream. */
function endOf(response: unknown): string | null | undefined {
  const reason = reasonOf(memberOf(response, "done_reason"));
  return reason === undefined && memberOf(response, "done") === false ? null : reason;
}
