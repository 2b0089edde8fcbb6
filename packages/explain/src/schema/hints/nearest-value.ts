import {
  type Finding,
  type PathSegment,
  type SchemaObject,
  hasField,
  isRecord,
  jsonEqual,
  stringsOf,
} from "../../shared/index.ts";
import { nearest, wordsOf } from "./near-name.ts";

const MAX_REMARKED = 100;
const WRAPPERS: readonly unknown[] = ["value", "text"];

/** Returns the values that a schema lists with `enum` or `const`; undefined if it lists none. */
export function allowedValues(schema: SchemaObject): readonly unknown[] | undefined {
  const listed = Array.isArray(schema["enum"]) ? schema["enum"] : undefined;
  if (!Object.hasOwn(schema, "const")) return listed;
  const fixed = schema["const"];
  // Both apply: if the list lacks the constant, no value is allowed.
  return !listed || listed.some((value) => jsonEqual(value, fixed)) ? [fixed] : [];
}

/** Hints at the allowed value that was meant, if one surely was. */
export function hintForValue(allowed: readonly unknown[], value: unknown): Pick<Finding, "hint"> {
  const meant = nearestValue(allowed, value);
  return meant === undefined ? {} : { hint: { kind: "use", value: meant } };
}

/** Finds the allowed value that was meant; undefined if none surely was. */
export function nearestValue(allowed: readonly unknown[], value: unknown): unknown {
  const only = onlyContent(value, undefined);
  if (only) return allowed.find((candidate) => candidate === only.value);
  const text = typeof value === "string" ? withoutRemark(value) : undefined;
  if (text !== value && allowed.includes(text)) return text;
  const literal = allowed.find(
    (candidate) => isLiteral(candidate) && String(candidate) === text?.trim().toLowerCase(),
  );
  if (literal !== undefined) return literal;
  const asText =
    text ?? (typeof value === "number" || typeof value === "boolean" ? String(value) : undefined);
  if (asText === undefined) return undefined;
  // A number or boolean may be listed as a string.
  return text === undefined && allowed.includes(asText)
    ? asText
    : (nearest(asText, stringsOf(allowed), "values") ?? soleEnding(asText, stringsOf(allowed)));
}

/** Prefixes that make another word: `inactive` is not `active`, and `prepaid` is not `paid`. */
const TURNING = /^(?:un|in|im|ir|dis|mis|non|not|no|de|anti|pre|post|sub|semi|over|under)$/;
const DENYING = new Set(["not", "no", "non", "never", "without", "except"]);
const SHORTEST = 3;

/**
 * Finds the only allowed value that a text ends with (`SOLORANKED` for `RANKED`, `last year` for `year`).
 *
 * What comes before a word narrows it; a word after it names something else (`replace_content_range`), and so does a
 * letter or two (`jsonl` for `json`, `female` for `male`). Several words are recognised with one letter too many.
 */
function soleEnding(text: string, allowed: readonly string[]): string | undefined {
  if (text.length > MAX_REMARKED || wordsOf(text).some((word) => DENYING.has(word)))
    return undefined;
  const sent = lettersOf(text);
  const ending = allowed.filter((candidate) => {
    const letters = lettersOf(candidate);
    const before = sent.length - letters.length;
    if (letters.length < SHORTEST) return false;
    if (before === 1) return wordsOf(candidate).length > 1 && isLastMore(sent, letters);
    const isNarrower = before >= SHORTEST && sent.endsWith(letters);
    return isNarrower && !TURNING.test(sent.slice(0, before));
  });
  return ending.length === 1 ? ending[0] : undefined;
}

/** Whether the last letter was sent twice, or an `s` after it (`km/hs`). */
function isLastMore(sent: string, letters: string): boolean {
  return sent === letters + letters.at(-1) || sent === `${letters}s`;
}

/** The letters of a name; empty if it has digits, which make another name. */
function lettersOf(text: string): string {
  return /\d/.test(text) ? "" : text.toLowerCase().replaceAll(/[^\p{L}]/gu, "");
}

/** Drops a trailing remark: `Public (default)` becomes `Public`. */
function withoutRemark(text: string): string {
  return text.length > MAX_REMARKED ? text : text.replace(/(?<=\S) *\([^()]*\)$/, "");
}

function isLiteral(value: unknown): boolean {
  return value === null || typeof value === "number" || typeof value === "boolean";
}

/** Returns the only value in an array or a wrapper object; undefined if the value is neither. */
export function onlyContent(
  value: unknown,
  name: PathSegment | undefined,
): { readonly value: unknown } | undefined {
  if (Array.isArray(value)) return value.length === 1 ? { value: value[0] } : undefined;
  if (!isRecord(value)) return undefined;
  const keys = Object.keys(value);
  if (keys.length === 1 && [...WRAPPERS, name].includes(keys[0]))
    return { value: value[keys[0] ?? ""] };
  // A copy of the schema with the value in it.
  const isTyped = keys.length === 2 && hasField(value, "type") && hasField(value, "value");
  return isTyped ? { value: value["value"] } : undefined;
}
