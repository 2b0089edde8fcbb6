import { isAnyObject, parseJson, readMember } from "@toolcontract/core/adapter";

/** Error bodies are short; others are web pages. */
const MAX_BODY = 16_384;

/** The body of an answer that an error holds as a string: its JSON, or the string. Never throws. */
export function bodyOf(part: unknown): unknown {
  const body = ["responseBody", "body", "data", "error"]
    .map((name) => readMember(part, name))
    .find((one) => isText(one) || isAnyObject(one));
  if (!isText(body)) return body;
  return body.length > MAX_BODY ? undefined : (parseJson(body) ?? body);
}

/** The members in which providers say why, the nearest first. */
const REASONS = ["message", "detail", "error_message", "msg", "reason", "description", "title"];

/** What a body says in words, wherever its provider keeps them. */
export function wordsInBody(body: unknown, depth = 3): readonly string[] {
  if (isText(body)) return body.includes("<") ? titleOf(body) : [body.trim()];
  if (!isAnyObject(body) || depth === 0) return [];
  const inner = ["error", "errors", "detail", "details", "0"].flatMap((name) =>
    wordsInBody(readMember(body, name), depth - 1),
  );
  const own = REASONS.map((name) => readMember(body, name)).filter(isText);
  return [...inner, ...own.map((text) => text.trim())];
}

function titleOf(page: string): readonly string[] {
  const [, title = ""] = /<title>([^<]{1,200})<\/title>/i.exec(page) ?? [];
  return title.trim() === "" ? [] : [title.trim()];
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
