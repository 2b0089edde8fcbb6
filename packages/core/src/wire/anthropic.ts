import { listOf, memberOf, reasonOf, textOf } from "./member.ts";
import { KeptTexts, type WireTexts, asSent, isThere } from "./kept-texts.ts";
import { picturesOf, wordsOf } from "./pictures.ts";
import {
  type Answered,
  type RawCall,
  type WireTurn,
  answeredId,
  programOf,
  turnOf,
} from "./turn.ts";

/** A message of Anthropic's API, of the SDK or of the wire. */
interface AnthropicResponse {
  readonly id?: string | undefined;
  readonly type?: "message" | undefined;
  readonly content: readonly object[];
  readonly stop_reason?: string | null | undefined;
}

/** The types of pictures that a result may have. */
type MediaType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** The answers to the calls of a message: one message. */
interface AnthropicAnswers {
  role: "user";
  content: {
    type: "tool_result";
    tool_use_id: string;
    content:
      | string
      | (
          | { type: "text"; text: string }
          | { type: "image"; source: { type: "base64"; media_type: MediaType; data: string } }
        )[];
    is_error?: true;
    toolset_name?: string;
  }[];
}

/** Reads and writes Anthropic's messages. */
export interface AnthropicWire {
  /** Reads the calls of a message; `texts` of its stream, with or without the message that the SDK makes of it. */
  read(response: AnthropicResponse | undefined, texts?: WireTexts): WireTurn;
  /** The message after the assistant's, with one result for each call, in order. */
  write(handled: readonly Answered[]): AnthropicAnswers[];
  /** For one streamed message: add each event, such as those of `streamEvent`. */
  texts(): WireTexts;
}

/**
 * Anthropic's messages.
 *
 * @example
 * ```ts
 * const texts = anthropic.texts();
 * stream.on("streamEvent", (event) => texts.add(event));
 * const message = await stream.finalMessage();
 * const { calls, ...turn } = anthropic.read(message, texts);
 * const handled = await contract.handleTurn(calls, { tools, execute, conversationId: "thread-7", ...turn });
 * messages.push({ role: "assistant", content: message.content }, ...anthropic.write(handled));
 * ```
 * @see docs/your-own-loop.md
 */
export const anthropic: AnthropicWire = {
  read(response, texts) {
    const blocks = listOf(memberOf(response, "content"));
    const uses = blocks.filter(isUse);
    const raw = {
      calls: uses.map(rawCall),
      turnId: turnIdOf(response, uses),
      messageId: textOf(memberOf(response, "id")),
      finishReason: reasonAt(blocks.at(-1), reasonOf(memberOf(response, "stop_reason"))),
    };
    return turnOf(asSent(raw, texts, isThere(response)));
  },
  write: (handled) =>
    handled.length === 0 ? [] : [{ role: "user", content: handled.map(resultOf) }],
  texts: () => new KeptTexts(addEvent),
};

function resultOf(answered: Answered): AnthropicAnswers["content"][number] {
  const { result } = answered;
  const pictures = picturesOf(answered);
  const text = wordsOf(answered, pictures);
  const toolset = result.wire?.["toolset_name"];
  return {
    type: "tool_result",
    tool_use_id: answeredId(result),
    content:
      pictures.length === 0
        ? text
        : [
            ...(text === "" ? [] : [{ type: "text", text } as const]),
            ...pictures.map(({ mimeType, data }) => {
              const media_type = mimeType as MediaType;
              return { type: "image", source: { type: "base64", media_type, data } } as const;
            }),
          ],
    ...(result.isError && { is_error: true }),
    ...(typeof toolset === "string" && { toolset_name: toolset }),
  };
}

function isUse(block: unknown): boolean {
  return memberOf(block, "type") === "tool_use";
}

function rawCall(block: unknown): RawCall {
  const toolset_name = textOf(memberOf(block, "toolset_name"));
  return {
    id: memberOf(block, "id"),
    name: memberOf(block, "name"),
    arguments: memberOf(block, "input"),
    ...(toolset_name !== undefined && { more: { toolset_name } }),
  };
}

function turnIdOf(response: unknown, uses: readonly unknown[]): string | undefined {
  return (
    programOf(uses.map((block) => memberOf(block, "caller", "tool_id"))) ??
    textOf(memberOf(response, "id"))
  );
}

const LENGTHS: ReadonlySet<unknown> = new Set(["max_tokens", "model_context_window_exceeded"]);

/** What was cut is the last block: if that is not a call, the calls before it are whole. */
function reasonAt(last: unknown, reason: string | null | undefined): string | null | undefined {
  return LENGTHS.has(reason) && last !== undefined && !isUse(last) ? undefined : reason;
}

function addEvent(event: unknown, kept: KeptTexts): void {
  const key = memberOf(event, "index");
  switch (memberOf(event, "type")) {
    case "message_start":
      kept.clear();
      kept.turnId = textOf(memberOf(event, "message", "id"));
      kept.finishReason = null;
      break;
    case "content_block_start": {
      const block = memberOf(event, "content_block");
      kept.last = block;
      if (!isUse(block)) break;
      const { arguments: value, ...call } = rawCall(block);
      kept.turnId = turnIdOf({ id: kept.turnId }, [block]);
      kept.call(key, { ...call, value: isFilled(value) ? value : undefined });
      kept.text(key, "");
      break;
    }
    case "content_block_delta":
      if (kept.known(key) !== undefined) kept.text(key, memberOf(event, "delta", "partial_json"));
      break;
    case "message_delta": {
      const reason = reasonOf(memberOf(event, "delta", "stop_reason"));
      if (reason !== undefined) kept.finishReason = reasonAt(kept.last, reason);
      break;
    }
    default:
  }
}

/** A gateway may send the whole input where a block begins. */
function isFilled(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}
