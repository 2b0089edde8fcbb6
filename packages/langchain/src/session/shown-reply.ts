import { type MessageContent, ToolMessage } from "@langchain/core/messages";
import { isRecord } from "@toolcontract/core/adapter";
import type { ToolCallLimits } from "@toolcontract/session";
import { readRejection } from "../history.ts";
import { copyToolMessage } from "../messages.ts";

/** A reply as the model is to read it: cut to size, or a stub if it does not fit. A Command keeps everything else. */
export function showReply<TReply>(reply: TReply, limits: ToolCallLimits): TReply {
  if (ToolMessage.isInstance(reply)) {
    // The contract's answer is not a result.
    return readRejection(reply) === undefined
      ? (showMessages([reply], limits)[0] as TReply)
      : reply;
  }
  const update = isRecord(reply) ? reply["update"] : undefined;
  const shown = { update: showUpdate(update, limits) };
  if (!isRecord(reply)) return reply;
  return Object.assign(
    Object.create(Object.getPrototypeOf(reply) as object),
    reply,
    shown,
  ) as TReply;
}

/** The update of a Command: an object, or a list of keys with values. */
function showUpdate(update: unknown, limits: ToolCallLimits): unknown {
  if (Array.isArray(update)) {
    const pairs: readonly unknown[] = update;
    const isMessages = (pair: unknown): pair is readonly [string, unknown] =>
      Array.isArray(pair) && pair[0] === "messages";
    const found = pairs.find(isMessages);
    const shown = showList(found?.[1], limits);
    return pairs.map((pair) => (pair === found ? [found?.[0], shown] : pair));
  }
  if (!isRecord(update) || update["messages"] === undefined) {
    limits.shown([]);
    return update;
  }
  return { ...update, messages: showList(update["messages"], limits) };
}

function showList(messages: unknown, limits: ToolCallLimits): unknown {
  return Array.isArray(messages)
    ? showMessages(messages, limits)
    : showMessages([messages], limits)[0];
}

/** One limit for all results of a call together; other messages stay as they are. */
function showMessages(messages: readonly unknown[], limits: ToolCallLimits): readonly unknown[] {
  const results = messages.filter((message) => ToolMessage.isInstance(message));
  const failed = results.find(({ status }) => status === "error");
  const given = results.flatMap(({ content }) => textsOfContent(content));
  const error = failed && textsOfContent(failed.content).join(" ");
  const { texts, isDropped } = limits.shown(given, error);
  const left = [...texts];
  return messages.map((message) => {
    if (!ToolMessage.isInstance(message)) return message;
    if (isDropped) return dropped(message, texts[0] ?? "");
    const own = left.splice(0, textsOfContent(message.content).length);
    return messageWithTexts(message, own);
  });
}

function textsOfContent(content: MessageContent): readonly string[] {
  if (typeof content === "string") return [content];
  return content.flatMap((block) => (isTextBlock(block) ? [block.text] : []));
}

function isTextBlock(block: unknown): block is { readonly type: "text"; readonly text: string } {
  return isRecord(block) && block["type"] === "text" && typeof block["text"] === "string";
}

function dropped(message: ToolMessage, stub: string): ToolMessage {
  return copyToolMessage(message, { content: stub, status: "error", ...whole(message) });
}

/** The message with these texts; the same object if they are its own. */
function messageWithTexts(message: ToolMessage, texts: readonly string[]): ToolMessage {
  const { content } = message;
  const own = textsOfContent(content);
  if (texts.every((text, index) => text === own[index])) return message;
  const left = [...texts];
  const blocks = (list: Exclude<MessageContent, string>): MessageContent =>
    list.map((block) => (isTextBlock(block) ? { ...block, text: left.shift() ?? "" } : block));
  const shown = typeof content === "string" ? (texts[0] ?? "") : blocks(content);
  return copyToolMessage(message, { content: shown, ...whole(message) });
}

/** The whole content as the artifact, which the model does not see; a tool's own artifact stays. */
function whole({ artifact, content }: ToolMessage): { readonly artifact?: unknown } {
  return (artifact as unknown) === undefined ? { artifact: content } : {};
}
