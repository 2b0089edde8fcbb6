import { eitherOf, memberOf, reasonOf, textOf } from "./member.ts";
import { KeptTexts, type WireTexts, asSent, isThere } from "./kept-texts.ts";
import { type Answered, type WireTurn, camelCalls, camelId, turnOf } from "./turn.ts";

/** A response of Cohere's chat API (v2), as its SDK gives it; the JSON of the wire is read, too. */
interface CohereResponse {
  readonly id?: string | undefined;
  readonly finishReason?: string | undefined;
  readonly message: {
    readonly toolCalls?:
      | readonly {
          readonly id?: string | undefined;
          readonly function?:
            | { readonly name?: string | undefined; readonly arguments?: string | undefined }
            | undefined;
        }[]
      | undefined;
    /** What Ollama calls them. */
    readonly tool_calls?: never;
  };
}

/** The answer to a call of Cohere, as its SDK takes it; for a call of the wire's JSON it has the wire's `tool_call_id`. */
interface CohereAnswer {
  role: "tool";
  toolCallId: string;
  content: string;
}

/** Reads and writes the messages of Cohere. */
export interface CohereWire {
  /** Reads the calls of a response; `texts` of its stream, with or without a response. */
  read(response: CohereResponse | undefined, texts?: WireTexts): WireTurn;
  /** The messages after the assistant's: one for each call, in order. */
  write(handled: readonly Answered[]): CohereAnswer[];
  /** For one streamed message: add each event. */
  texts(): WireTexts;
}

/**
 * The chat API of Cohere, version 2.
 *
 * @example
 * ```ts
 * const { calls, ...turn } = cohere.read(reply);
 * const handled = await contract.handleTurn(calls, { tools, execute, conversationId: "thread-7", ...turn });
 * messages.push(...cohere.write(handled));
 * ```
 * @see docs/your-own-loop.md
 */
export const cohere: CohereWire = {
  read(response, texts) {
    const raw = {
      calls: camelCalls(memberOf(response, "message")),
      turnId: textOf(memberOf(response, "id")),
      finishReason: reasonOf(eitherOf(response, "finishReason", "finish_reason")),
    };
    return turnOf(asSent(raw, texts, isThere(response)));
  },
  write: (handled) =>
    handled.map(
      ({ result }) =>
        ({ role: "tool", ...camelId(result), content: result.content }) as CohereAnswer,
    ),
  texts: () => new KeptTexts(addEvent),
};

function addEvent(event: unknown, kept: KeptTexts): void {
  const delta = memberOf(event, "delta");
  switch (memberOf(event, "type")) {
    case "message-start":
      kept.clear();
      kept.turnId = textOf(memberOf(event, "id"));
      kept.finishReason = null;
      break;
    case "tool-call-start":
    case "tool-call-delta": {
      const key = memberOf(event, "index") ?? 0;
      const call = eitherOf(memberOf(delta, "message"), "toolCalls", "tool_calls");
      kept.call(key, { id: memberOf(call, "id"), name: memberOf(call, "function", "name") });
      kept.text(key, memberOf(call, "function", "arguments"));
      break;
    }
    case "message-end":
      kept.finishReason = reasonOf(eitherOf(delta, "finishReason", "finish_reason"));
      break;
    default:
  }
}
