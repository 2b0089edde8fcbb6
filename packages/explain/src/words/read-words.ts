import type { ErrorCode, Hint, Limits, ValidationError } from "../shared/index.ts";
import { splitList, toPieces } from "./line-parts.ts";
import { writeHint } from "./write-hint.ts";

const TYPE = "(?:(?:[a-z][a-z0-9-]* )?string|number|integer|boolean|array|object|null)";
const TYPES = new RegExp(`^${TYPE}(?:(?:, | or )${TYPE})*(?![\\w-])`);
const LENGTHS =
  /(?:from (\d{1,15}) to (\d{1,15})|at least (\d{1,15})|at most (\d{1,15})|(?<=, |with |and )(\d{1,15})) (item|character)/g;

const LISTED = 3;
const LIST = /^(one of |only |object with |array of one of )(.+?)(?: and (\d{1,9}) more)?$/;

const COUNT = / \((over )?(\d{1,15}) [a-z]+\)$/;
const SCALAR = /^(?:-?\d[\d.eE+-]*|true|false|null)$/;

/** What a message and a summary repeat of the shown words: `Type mismatch: expected integer, got string`. */
export interface MessageFacts {
  /** The accepted types, in words. */
  readonly types?: string | undefined;
  /** True if a number must be a multiple of something. */
  readonly stepped?: boolean;
  /** The limits of an array's length. */
  readonly items?: Limits | undefined;
  /** The limits of a string's length. */
  readonly characters?: Limits | undefined;
  /** The type of what was sent, and its length in characters or items. */
  readonly got?: { readonly type?: string | undefined; readonly length?: number | undefined };
}

/** A JSON type; `integer` is separate from `number`. */
type PreviewType = "string" | "integer" | "number" | "boolean" | "null" | "array" | "object";

/** Reads the facts of an error from its words, so that both styles, and a parsed message, say the same. */
export function readFacts({
  errorCode,
  expectedValue,
  actualValue,
}: Pick<ValidationError, "errorCode" | "expectedValue" | "actualValue">): MessageFacts {
  return { ...readWanted(errorCode, expectedValue), got: readGot(actualValue) };
}

/** Reads the type and the length of what was sent from its preview. */
export function readGot(actual: string | undefined): NonNullable<MessageFacts["got"]> {
  return { type: readPreviewType(actual), length: readPreviewCount(actual) };
}

/** Reads what the message of a code repeats of what was expected. */
export function readWanted(errorCode: ErrorCode, expected: string | undefined): MessageFacts {
  if (expected === undefined) return {};
  switch (errorCode) {
    case "VAL-002":
      return { types: readTypes(expected) };
    case "VAL-003":
      return { types: readTypes(expected), stepped: expected.includes("multiple of") };
    case "VAL-006":
      return { items: readLimits(expected, "item") };
    case "VAL-009":
      return { characters: readLimits(expected, "character") };
    default:
      return {};
  }
}

function readTypes(expected: string): string | undefined {
  return TYPES.exec(expected)?.[0] ?? literalType(expected);
}

/** Reads the type of the first value in a list; the others are usually of the same type. */
function literalType(expected: string): PreviewType | undefined {
  return readPreviewType(expected.replace(/^one of /, ""));
}

function readLimits(expected: string, unit: "item" | "character"): Limits | undefined {
  const found = [...expected.matchAll(LENGTHS)].findLast((match) => match[6] === unit);
  if (!found) return undefined;
  const [, from, to, least, most, exact] = found;
  const [min, max] = [from ?? least ?? exact, to ?? most ?? exact];
  return {
    ...(min !== undefined && { min: Number(min) }),
    ...(max !== undefined && { max: Number(max) }),
  };
}

/** Reads the type of a previewed value; undefined if it is masked or not a preview. */
function readPreviewType(text: string | undefined): PreviewType | undefined {
  if (text === undefined || text === "[redacted]" || !isValuePreview(text)) return undefined;
  if (text.startsWith('"')) return "string";
  if (text.startsWith("[")) return "array";
  if (text.startsWith("{")) return "object";
  if (text === "null") return "null";
  if (text === "true" || text === "false") return "boolean";
  return /^-?\d+$/.test(text) ? "integer" : "number";
}

/** Reads the length of a previewed string or array, if the preview shows it. */
function readPreviewCount(text: string | undefined): number | undefined {
  const type = readPreviewType(text);
  if (text === undefined || (type !== "string" && type !== "array")) return undefined;
  const [, over, count] = COUNT.exec(text) ?? [];
  if (count !== undefined) return over === undefined ? Number(count) : undefined;
  return type === "string" ? quotedLength(text) : countItems(text.slice(1, -1));
}

// JSON Schema counts code points.
function quotedLength(quoted: string): number | undefined {
  try {
    return Array.from(String(JSON.parse(quoted))).length;
  } catch {
    return undefined;
  }
}

function countItems(list: string): number | undefined {
  if (list === "") return 0;
  const items = splitList(list);
  return items.includes("...") ? undefined : items.length;
}

/** Whether a string looks like the preview of a value that the sanitizer writes. */
export function isValuePreview(text: string): boolean {
  if (SCALAR.test(text)) return true;
  const value = text.replace(COUNT, "");
  const [first, second] = toPieces(value);
  if (first?.quoted === true) return second === undefined;
  return isEnclosed(value, "[", "]") || isEnclosed(value, "{", "}");
}

function isEnclosed(text: string, open: string, close: string): boolean {
  return text.length > 1 && text.startsWith(open) && text.endsWith(close);
}

/** Shortens a long list in the expectation of an error that core did not write: the first values, and how many follow. */
export function shortenWords(expected: string): string {
  const [, lead = "", list = "", hidden = "0"] = LIST.exec(expected) ?? [];
  const values = splitList(list);
  if (values.length <= LISTED + 1) return expected;
  const more = values.length - LISTED + Number(hidden);
  return `${lead}${values.slice(0, LISTED).join(", ")} and ${more} more`;
}

/** Reads a hint that exists only as words; recognizes core's own advice to send less. */
export function readHint(text: string): Hint {
  const shorter: Hint = { kind: "send-shorter" };
  return text === writeHint(shorter) ? shorter : { kind: "words", text };
}
