import type { Finding, PathSegment } from "../shared/index.ts";
import { parseNative } from "./repair.ts";

/** Sixteen digits in a row, or an exponent of three: no other number changes when JSON is parsed. */
const MAY_CHANGE = /\d{16}|[eE]\+?\d{3}/;
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** What no number of the text itself begins with. */
const MARK = String.raw`\u0000number `;
const INTEGER = /^-?\d+$/;
const MAX_FOUND = 100;
const SAFE = Number.MAX_SAFE_INTEGER;

/**
 * Finds the numbers in JSON text that are not what they were once it is parsed: integers beyond 2^53, which are rounded, and
 * numbers that are too large for any other than infinity.
 *
 * @param value - What the text was parsed to.
 */
export function inexactNumbers(text: string, value: unknown): readonly Finding[] {
  const quoted = MAY_CHANGE.test(text) ? quoteChanged(text) : text;
  const native = quoted === text ? undefined : parseNative(quoted);
  return native === undefined ? [] : stringsForNumbers(native.value, value);
}

/** Parses JSON text to a value that tells apart whatever the text does: a number that parsing would change is a marked string. */
export function exactValue(json: string): unknown {
  return JSON.parse(MAY_CHANGE.test(json) ? quoteChanged(json, MARK) : json);
}

/** JSON text with strings in place of the numbers that parsing would change. */
function quoteChanged(text: string, mark = ""): string {
  return text.replaceAll(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') || isExactNumber(token) ? token : `"${mark}${token}"`,
  );
}

/** Whether JSON text has a number that parsing changes; false for text that is not JSON. */
export function hasInexactNumbers(text: string): boolean {
  const native = MAY_CHANGE.test(text) ? parseNative(text) : undefined;
  return native !== undefined && inexactNumbers(text, native.value).length > 0;
}

function isExactNumber(token: string): boolean {
  const value = Number(token);
  if (!Number.isFinite(value)) return false;
  if (!INTEGER.test(token) || Number.isSafeInteger(value)) return true;
  // What serializes unchanged is the same number for whoever reads it next.
  return String(value) === token || BigInt(token) === BigInt(value);
}

interface NumberPair {
  readonly quoted: unknown;
  readonly parsed: unknown;
  readonly path: readonly PathSegment[];
}

/** Finds the places where one value has a string and the other a number. */
function stringsForNumbers(root: unknown, value: unknown): readonly Finding[] {
  const findings: Finding[] = [];
  const pending: NumberPair[] = [{ quoted: root, parsed: value, path: [] }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { quoted, parsed, path } = next;
    if (findings.length >= MAX_FOUND) break;
    if (typeof quoted === "string" && typeof parsed === "number")
      findings.push(inexact(quoted, path));
    if (typeof quoted !== "object" || quoted === null || typeof parsed !== "object") continue;
    const isList = Array.isArray(quoted);
    for (const [key, inner] of Object.entries(quoted)) {
      const other = (parsed as Readonly<Record<string, unknown>> | null)?.[key];
      pending.push({ quoted: inner, parsed: other, path: [...path, isList ? Number(key) : key] });
    }
  }
  return findings;
}

function inexact(digits: string, path: readonly PathSegment[]): Finding {
  const value = Number(digits);
  const limits = Number.isFinite(value)
    ? { min: -SAFE, max: SAFE }
    : { min: -Number.MAX_VALUE, max: Number.MAX_VALUE };
  return {
    code: "VAL-003",
    path,
    reason: { kind: "inexact" },
    expected: { kind: "number", type: "number", limits },
    actual: { value, digits },
  };
}
