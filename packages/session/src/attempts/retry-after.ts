import { readMember } from "@toolcontract/core/adapter";
import { LONGEST_TIMER_MS } from "../shared/index.ts";
import { partsOf, textsOf } from "./failure-parts.ts";

/** The header's names; the first has milliseconds. */
const MILLISECONDS = "retry-after-ms";
const SECONDS = "retry-after";

/**
 * Reads for how long a provider wants no other request, in milliseconds; undefined if it does not say. Never throws.
 *
 * It promises that a given time is honoured (AI Agent Contract, section 3) wherever the SDKs keep it: the headers
 * `retry-after-ms` and `retry-after`, in seconds or as an HTTP date, as `Headers` or as an object in any case;
 * LangChain's `retryAfterMs`; Google's `retryDelay`; and messages such as "try again in 634ms".
 *
 * @param now - Milliseconds since 1970, for dates.
 */
export function retryAfterMs(error: unknown, now: number): number | undefined {
  const parts = partsOf(error);
  const given =
    first(parts, (part) => fromHeaders(part, now)) ??
    first(parts, (part) => durationOf(readMember(part, "retryAfterMs"), 1)) ??
    first(parts.flatMap(textsOf), fromText);
  return given === undefined ? undefined : Math.min(Math.ceil(given), LONGEST_TIMER_MS);
}

function fromHeaders(part: unknown, now: number): number | undefined {
  const sources = ["headers", "responseHeaders"].map((name) => readMember(part, name));
  return (
    first(sources, (headers) => durationOf(headerOf(headers, MILLISECONDS), 1)) ??
    first(sources, (headers) => {
      const value = headerOf(headers, SECONDS);
      return durationOf(value, 1_000) ?? untilDate(value, now);
    })
  );
}

/** Reads a header from `Headers` or from a record in any case; a list has its first value. */
function headerOf(headers: unknown, name: string): unknown {
  try {
    const get = readMember(headers, "get");
    const value: unknown =
      typeof get === "function"
        ? Reflect.apply(get, headers, [name])
        : Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1];
    return Array.isArray(value) ? value[0] : value;
  } catch {
    return undefined;
  }
}

/** A number that is not negative, also as a string; `Number` alone would take "" and "0x10". */
function durationOf(value: unknown, unit: number): number | undefined {
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

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|milli)/, 1],
  [/^s/, 1_000],
  [/^m/, 60_000],
  [/^h/, 3_600_000],
];

const AMOUNT: string = String.raw`\d{1,12}(?:\.\d{1,12})?\s?(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h)(?![a-z])`;
const WORDS = new RegExp(
  String.raw`(?:try again|retry|retrying) (?:in|after) ((?:${AMOUNT}[\s,]{0,2}){1,4})|"retryDelay"\s?:\s?"(${AMOUNT})"`,
  "i",
);

/** Reads "try again in 1m30.5s", "retry after 20 seconds", `"retryDelay": "34s"`. */
function fromText(text: string): number | undefined {
  const match = WORDS.exec(text);
  const words = match?.[1] ?? match?.[2];
  const amounts = words?.matchAll(/(\d+(?:\.\d+)?)\s?([a-z]+)/gi);
  if (!amounts) return undefined;
  let sum = 0;
  for (const [, count, unit = ""] of amounts) {
    sum += Number(count) * (UNITS.find(([pattern]) => pattern.test(unit.toLowerCase()))?.[1] ?? 0);
  }
  return sum;
}

function first<T, R>(values: readonly T[], read: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const found = read(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
