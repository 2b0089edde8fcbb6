import { jsonText } from "../shared/index.ts";

/** How every tag of this transport begins. */
export const TAG_START = "<ai-agent-";

const ANY_TAG = /<(?=\/?ai-agent-)/gi;
/** What begins or ends a part of a tool's response, and what a line of the host begins with. */
const FRAME = /<(?=\/?\s*(?:response|request)\b)/gi;
const NOTICE = /^([^\S\r\n\u2028\u2029]*System Notice)(?=\s*:)/gimu;

/** A payload in its tags. */
export function tag(
  slot: string,
  attributes: Readonly<Record<string, string>>,
  payload: string,
): string {
  const written = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${attributeText(value)}"`,
  );
  return `${TAG_START}${slot}${written.join("")}>${payload}</${TAG_START.slice(1)}${slot}>`;
}

// A tool's name is foreign too, and must not end its tag.
function attributeText(value: string): string {
  return value.replace(/[<>"]/g, "_");
}

/**
 * Makes tags in foreign text harmless: `<ai-agent-…` is shown as `&lt;ai-agent-…`, so that a model that repeats it calls
 * nothing.
 */
export function withoutTags(text: string): string {
  return text.replace(ANY_TAG, "&lt;");
}

/** The same for a tool's result, which must not end its own frame nor speak as the host. */
export function withoutFrame(text: string): string {
  return withoutTags(text).replace(FRAME, "&lt;").replace(NOTICE, "(quoted) $1");
}

/** The same for JSON, whose value stays the same: "<" is written as an escape. */
export function withoutTagsInJson(json: string): string {
  return json
    .replace(ANY_TAG, String.raw`\u003c`)
    .replace(FRAME, String.raw`\u003c`)
    .replaceAll("\u2028", String.raw`\u2028`)
    .replaceAll("\u2029", String.raw`\u2029`);
}

/** A string as it is, anything else as JSON; empty for what JSON cannot be. */
export function payloadText(value: unknown): string {
  return jsonText(value) ?? "";
}
