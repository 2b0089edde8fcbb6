import { readMember } from "@toolcontract/explain/adapter";
import { firstOf, isArray } from "./thrown.ts";

/** The header's names; the first has milliseconds. */
const MILLISECONDS = "retry-after-ms";
const SECONDS = "retry-after";

/**
 * Reads from the headers of errors and answers for how long no other request is wanted, in milliseconds: seconds, a date of
 * HTTP, or the milliseconds of `retry-after-ms`. Undefined if they do not say. Never throws.
 *
 * @param now - Milliseconds since 1970, for dates.
 */
export function retryAfterIn(parts: readonly unknown[], now: number): number | undefined {
  for (const part of parts) {
    const sources = ["headers", "responseHeaders"].map((name) => readMember(part, name));
    const found =
      firstOf(sources, (headers) => durationOf(headerOf(headers, MILLISECONDS), 1)) ??
      firstOf(sources, (headers) => {
        const value = headerOf(headers, SECONDS);
        return durationOf(value, 1_000) ?? untilDate(value, now);
      });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Reads a header from `Headers`, or from a record with keys in any case; a list has its first value. Never throws. */
export function headerOf(headers: unknown, name: string): unknown {
  try {
    const get = readMember(headers, "get");
    const value: unknown =
      typeof get === "function"
        ? Reflect.apply(get, headers, [name])
        : Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1];
    return isArray(value) ? value[0] : value;
  } catch {
    return undefined;
  }
}

/** A number that is not negative, also as a string; `Number` alone would take "" and "0x10". */
export function durationOf(value: unknown, unit: number): number | undefined {
  const isNumber = typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY;
  const isDigits = typeof value === "string" && /^\s*\d{1,15}(?:\.\d{1,15})?\s*$/.test(value);
  return isNumber || isDigits ? Number(value) * unit : undefined;
}

/** The three forms of an HTTP date, and ISO; the date parser alone would take "-5" and "soon 1". */
const DATE = /^\s*(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? |\d{4}-\d\d-\d\dT)/i;

function untilDate(value: unknown, now: number): number | undefined {
  if (typeof value !== "string" || value.length > 64 || !DATE.test(value)) return undefined;
  // The form of C's asctime has no zone, and means GMT.
  const date = Date.parse(/(?:GMT|UTC|Z|[+-]\d\d:?\d\d)\s*$/i.test(value) ? value : `${value} GMT`);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
