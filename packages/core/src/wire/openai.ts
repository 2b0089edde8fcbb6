import { isJson } from "@toolcontract/explain/adapter";
import { isAnyObject } from "../kit/index.ts";
import { eitherOf, listOf, memberOf, reasonOf, textOf } from "./member.ts";
import { KeptTexts, type WireTexts, asSent, isThere } from "./kept-texts.ts";
import {
  type Answered,
  type RawCall,
  type WireTurn,
  answeredId,
  functionCall,
  turnOf,
} from "./turn.ts";

/** A call in a message of Chat Completions. */
interface OpenAICall {
  readonly id?: string | null | undefined;
  readonly type?: string | undefined;
  readonly function?: { readonly name: string; readonly arguments: unknown } | undefined;
  readonly custom?: { readonly name: string; readonly input: string } | undefined;
}

/** A response of Chat Completions, of the SDK or of the wire. */
interface OpenAIResponse {
  readonly id?: string | undefined;
  readonly choices: readonly {
    readonly finish_reason?: string | null | undefined;
    /** What Mistral's SDK calls it. */
    readonly finishReason?: never;
    readonly message: {
      readonly role?: string | undefined;
      readonly tool_calls?: readonly OpenAICall[] | null | undefined;
    };
  }[];
}

/** The answer to a call of Chat Completions. */
interface OpenAIAnswer {
  role: "tool";
  tool_call_id: string;
  content: string;
}

/** Reads and writes Chat Completions of OpenAI, and of those who speak its wire. */
export interface OpenAIWire {
  /** Reads the calls of a response; `texts` of its stream, with or without the response that the SDK makes of it. */
  read(response: OpenAIResponse | undefined, texts?: WireTexts): WireTurn;
  /** The messages after the assistant's: one for each call, in order. */
  write(handled: readonly Answered[]): OpenAIAnswer[];
  /** For one streamed message: add each chunk. */
  texts(): WireTexts;
}

/**
 * Chat Completions of OpenAI.
 *
 * @example
 * ```ts
 * const { calls, ...turn } = openai.read(completion);
 * const handled = await contract.handleTurn(calls, { tools, execute, conversationId: "thread-7", ...turn });
 * messages.push(...openai.write(handled));
 * ```
 * @see docs/your-own-loop.md
 */
export const openai: OpenAIWire = {
  read(response, texts) {
    const choice = memberOf(response, "choices", 0);
    const calls = listOf(memberOf(choice, "message", "tool_calls")).flatMap(rawCall);
    const raw = {
      calls,
      turnId: textOf(memberOf(response, "id")),
      finishReason: reasonOf(memberOf(choice, "finish_reason")),
    };
    return turnOf(asSent(raw, texts, isThere(response)));
  },
  write: (handled) =>
    handled.map(({ result }) => ({
      role: "tool",
      tool_call_id: answeredId(result),
      content: result.content,
    })),
  texts: () => new KeptTexts(addChunk),
};

function rawCall(call: unknown): readonly RawCall[] {
  if (!isAnyObject(call)) return [];
  const custom = memberOf(call, "custom");
  if (custom !== undefined && memberOf(call, "function") === undefined) {
    const text = memberOf(custom, "input") ?? "";
    return [{ id: memberOf(call, "id"), name: memberOf(custom, "name"), text }];
  }
  return [functionCall(call)];
}

/** Keeps a chunk of Chat Completions, or of Mistral, which has the same deltas. */
export function addChunk(event: unknown, kept: KeptTexts): void {
  // Mistral's SDK wraps the chunk.
  const chunk = memberOf(event, "data", "choices") === undefined ? event : memberOf(event, "data");
  const choice = memberOf(chunk, "choices", 0);
  if (choice === undefined) return;
  kept.turnId ??= textOf(memberOf(chunk, "id"));
  const reason = reasonOf(eitherOf(choice, "finishReason", "finish_reason"));
  kept.finishReason = reason ?? kept.finishReason ?? null;
  const delta = memberOf(choice, "delta");
  const calls = listOf(eitherOf(delta, "toolCalls", "tool_calls"));
  for (const call of calls) addDelta(call, kept);
}

function addDelta(call: unknown, kept: KeptTexts): void {
  const custom = memberOf(call, "custom");
  const inner = custom ?? memberOf(call, "function");
  const id = textOf(memberOf(call, "id"));
  const name = textOf(memberOf(inner, "name"));
  const key = keyOf(memberOf(call, "index"), { id, name }, kept);
  kept.call(key, { id, name, ...(custom !== undefined && { isText: true }) });
  const part = memberOf(inner, custom === undefined ? "arguments" : "input");
  if (typeof part === "object" && part !== null) kept.call(key, { value: part });
  else kept.text(key, part);
}

/** The key of the call that a delta belongs to. Gateways write index 0 for all calls, or none, so that only the id or the end of a text tells them apart. */
function keyOf(
  index: unknown,
  { id, name }: { readonly id: string | undefined; readonly name: string | undefined },
  kept: KeptTexts,
): unknown {
  const place = typeof index === "number" ? index : "";
  let last: string | undefined;
  for (let count = 0; kept.known(`${place}:${count}`) !== undefined; count += 1) {
    last = `${place}:${count}`;
  }
  if (last === undefined) return `${place}:0`;
  const isOther = id !== undefined && (kept.known(last)?.id ?? id) !== id;
  const isNext = name !== undefined && isJson(kept.textOf(last));
  return isOther || isNext ? `${place}:${Number(last.split(":")[1]) + 1}` : last;
}
