import type { Finding, PathSegment } from "../shared/index.ts";
import { parseNative } from "./repair.ts";

/** Sixteen digits in a row, or an exponent of three: no other number changes when JSON is parsed. */
const MAY_CHANGE = /\d{16}|[eE]\+?\d{3}/;
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
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
  if (!MAY_CHANGE.test(text)) return [];
  let isChanged = false;
  const quoted = text.replaceAll(STRING_OR_NUMBER, (token) => {
    if (token.startsWith('"') || isExactNumber(token)) return token;
    isChanged = true;
    return `"${token}"`;
  });
  const native = isChanged ? parseNative(quoted) : undefined;
  return native === undefined ? [] : stringsForNumbers(native.value, value);
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
