import {
  type Finding,
  type PathSegment,
  type SchemaObject,
  hasField,
  isRecord,
  jsonEqual,
  matchesType,
  stringsOf,
} from "../../shared/index.ts";
import { nearest, wordsOf } from "./near-name.ts";

const MAX_REMARKED = 100;
const REMARK = /(?<=\S) *\((?:default|recommended|preferred|standard|usual|normal)\)$/i;
const SHORTEST = 3;
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
  if (typeof value === "number") return listedNumber(allowed, value);
  // A boolean may be listed as a string.
  if (text === undefined && allowed.includes(asText)) return asText;
  const texts = textsIn(allowed);
  return nearest(asText, texts, "values") ?? withoutLastLetter(asText, texts);
}

/** The only listed string that holds a number: of `3.1` and `3.10`, which are equal, neither is surely meant. */
function listedNumber(allowed: readonly unknown[], value: number): string | undefined {
  const equal = textsIn(allowed).filter((one) => one.trim() !== "" && Number(one) === value);
  return equal.length === 1 ? equal[0] : undefined;
}

const listedTexts = new WeakMap<readonly unknown[], readonly string[]>();

/** The strings of a list, each time the same array. */
function textsIn(allowed: readonly unknown[]): readonly string[] {
  const texts = listedTexts.get(allowed) ?? stringsOf(allowed);
  listedTexts.set(allowed, texts);
  return texts;
}

/**
 * Finds the only allowed value of several words that was sent with one letter too many (`km/hs`).
 *
 * Whole words too many are not a slip: those before a value narrow it (`soft_delete`, `last year`), and those after it name
 * something else (`replace_content_range`).
 */
function withoutLastLetter(text: string, allowed: readonly string[]): string | undefined {
  if (text.length > MAX_REMARKED) return undefined;
  const sent = lettersOf(text);
  const meant = allowed.filter(
    (candidate) => wordsOf(candidate).length > 1 && isLastMore(sent, lettersOf(candidate)),
  );
  return meant.length === 1 ? meant[0] : undefined;
}

/** Whether the last letter was sent twice, or an `s` after it (`km/hs`). */
function isLastMore(sent: string, letters: string): boolean {
  return (
    letters.length >= SHORTEST && (sent === letters + letters.at(-1) || sent === `${letters}s`)
  );
}

/** The letters of a name; empty if it has digits, which make another name. */
function lettersOf(text: string): string {
  return /\d/.test(text) ? "" : text.toLowerCase().replaceAll(/[^\p{L}]/gu, "");
}

/** Drops what a list of options says of one: `Public (default)` becomes `Public`. Other remarks may narrow the value. */
function withoutRemark(text: string): string {
  return text.length > MAX_REMARKED ? text : text.replace(REMARK, "");
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
  return isTyped && matchesType(value["value"], String(value["type"]))
    ? { value: value["value"] }
    : undefined;
}
