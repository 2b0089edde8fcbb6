import { isRecord } from "@toolcontract/core/adapter";
import { readIfJson } from "./read-json.ts";

type SlackMessage = Readonly<Record<string, unknown>>;

/** Slack's limits: characters of a section's text, and blocks of a message. */
const MAX_SECTION = 3_000;
const MAX_BLOCKS = 50;

/**
 * The messages in what a model sent: an array of messages, of blocks (one message) or of arrays of blocks (one message
 * each), a single message, or an object with `messages`; each also as a string of JSON. Undefined for anything else.
 */
export function readMessages(sent: unknown): readonly SlackMessage[] | undefined {
  const value = readIfJson(sent);
  if (isRecord(value)) {
    if (Array.isArray(value["messages"])) return readMessages(value["messages"]);
    return Array.isArray(value["blocks"]) ? [value] : undefined;
  }
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const items = value.map((item: unknown) => readIfJson(item));
  if (items.every(isBlock)) return [{ blocks: items }];
  const messages = items.map((item) => (isBlockList(item) ? { blocks: item } : item));
  return messages.every((message) => isRecord(message)) ? messages : undefined;
}

function isBlock(value: unknown): boolean {
  return isRecord(value) && typeof value["type"] === "string" && !("blocks" in value);
}

function isBlockList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isBlock);
}

/** Text as Slack messages, divided as Slack's limits require. */
export function textMessages(text: string): readonly SlackMessage[] {
  const blocks = sectionsOf(text).map((section) => ({
    type: "section",
    text: { type: "mrkdwn", text: section },
  }));
  const count = Math.ceil(blocks.length / MAX_BLOCKS);
  return Array.from({ length: count }, (_, index) => ({
    blocks: blocks.slice(index * MAX_BLOCKS, (index + 1) * MAX_BLOCKS),
  }));
}

/** Divides at the last line feed that fits, or between two characters. */
function sectionsOf(text: string): readonly string[] {
  const sections: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = endOfSection(text, start);
    sections.push(text.slice(start, end));
    start = end;
  }
  return sections.filter((section) => section.trim() !== "");
}

function endOfSection(text: string, start: number): number {
  const limit = start + MAX_SECTION;
  if (limit >= text.length) return text.length;
  const lineFeed = text.lastIndexOf("\n", limit - 1);
  if (lineFeed > start) return lineFeed + 1;
  const isPair = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1));
  return isPair ? limit - 1 : limit;
}
