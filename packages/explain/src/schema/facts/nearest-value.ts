import {
  type Finding,
  type PathSegment,
  type SchemaObject,
  hasField,
  isRecord,
  jsonEqual,
  stringsOf,
} from "../../shared/index.ts";
import { nearest } from "./near-name.ts";

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
    : (nearest(asText, stringsOf(allowed), "values") ?? soleContained(asText, stringsOf(allowed)));
}

/** Prefixes that turn a word around: `inactive` is not `active`. */
const NEGATING = /^(?:un|in|im|ir|dis|non|not|no|de|anti)$/;
const SHORTEST = 3;

/** Finds the only allowed value that a text contains at its beginning or end (`SOLORANKED` for `RANKED`). */
function soleContained(text: string, allowed: readonly string[]): string | undefined {
  if (text.length > MAX_REMARKED) return undefined;
  const sent = lettersOf(text);
  const contained = allowed.filter((candidate) => {
    const letters = lettersOf(candidate);
    if (letters.length < SHORTEST || letters.length >= sent.length) return false;
    return (
      sent.startsWith(letters) ||
      (sent.endsWith(letters) && !NEGATING.test(sent.slice(0, -letters.length)))
    );
  });
  return contained.length === 1 ? contained[0] : undefined;
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
