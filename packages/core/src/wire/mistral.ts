import { eitherOf, memberOf, reasonOf, textOf } from "./member.ts";
import { KeptTexts, type WireTexts, asSent, isThere } from "./kept-texts.ts";
import { addChunk } from "./openai.ts";
import { type Answered, type WireTurn, camelCalls, camelId, turnOf } from "./turn.ts";

/** A response of Mistral, as its SDK gives it; the JSON of the wire is read, too. */
interface MistralResponse {
  readonly id?: string | undefined;
  readonly choices: readonly {
    readonly finishReason?: unknown;
    /** What OpenAI calls it. */
    readonly finish_reason?: never;
    readonly message?:
      | {
          readonly toolCalls?:
            | readonly {
                readonly id?: string | null | undefined;
                readonly function: { readonly name: string; readonly arguments: unknown };
              }[]
            | null
            | undefined;
        }
      | undefined;
  }[];
}

/** The answer to a call of Mistral, as its SDK takes it; for a call of the wire's JSON it has the wire's `tool_call_id`. */
interface MistralAnswer {
  role: "tool";
  toolCallId: string;
  name: string;
  content: string;
}

/** Reads and writes the messages of Mistral. */
export interface MistralWire {
  /** Reads the calls of a response; `texts` of its stream, with or without a response. */
  read(response: MistralResponse | undefined, texts?: WireTexts): WireTurn;
  /** The messages after the assistant's: one for each call, in order. */
  write(handled: readonly Answered[]): MistralAnswer[];
  /** For one streamed message: add each event. */
  texts(): WireTexts;
}

/**
 * The chat API of Mistral.
 *
 * @example
 * ```ts
 * const { calls, ...turn } = mistral.read(chat);
 * const handled = await contract.handleTurn(calls, { tools, execute, conversationId: "thread-7", ...turn });
 * messages.push(...mistral.write(handled));
 * ```
 * @see docs/your-own-loop.md
 */
export const mistral: MistralWire = {
  read(response, texts) {
    const choice = memberOf(response, "choices", 0);
    const raw = {
      calls: camelCalls(memberOf(choice, "message")),
      turnId: textOf(memberOf(response, "id")),
      finishReason: reasonOf(eitherOf(choice, "finishReason", "finish_reason")),
    };
    const sent = asSent(raw, texts, isThere(response));
    return turnOf({ ...sent, calls: sent.calls.map((call) => ({ ...call, id: idOf(call.id) })) });
  },
  write: (handled) =>
    handled.map(({ result }) => {
      const { toolName: name, content } = result;
      return { role: "tool", ...camelId(result), name, content } as MistralAnswer;
    }),
  texts: () => new KeptTexts(addChunk),
};

/** The SDK writes the word for an id that did not come. */
function idOf(id: unknown): unknown {
  return id === "null" ? undefined : id;
}
