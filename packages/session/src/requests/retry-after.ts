import {
  LONGEST_TIMER_MS,
  durationOf,
  firstOf,
  partsOf,
  readMember,
  retryAfterIn,
  textsOf,
} from "@toolcontract/core/adapter";

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
    retryAfterIn(parts, now) ??
    firstOf(parts, (part) => durationOf(readMember(part, "retryAfterMs"), 1)) ??
    firstOf(parts.flatMap(textsOf), waitInText);
  return given === undefined ? undefined : Math.min(Math.ceil(given), LONGEST_TIMER_MS);
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
function waitInText(text: string): number | undefined {
  const match = WORDS.exec(text);
  return sumOf(match?.[1] ?? match?.[2]);
}

const WHOLE = new RegExp(String.raw`^(?:${AMOUNT}[\s,]{0,2}){1,4}$`, "i");

/** Reads "1m30s" and "250ms"; undefined for anything else. */
export function durationInWords(text: string): number | undefined {
  return WHOLE.test(text) ? sumOf(text) : undefined;
}

function sumOf(words: string | undefined): number | undefined {
  const amounts = words?.matchAll(/(\d+(?:\.\d+)?)\s?([a-z]+)/gi);
  if (!amounts) return undefined;
  let sum = 0;
  for (const [, count, unit = ""] of amounts) {
    sum += Number(count) * (UNITS.find(([pattern]) => pattern.test(unit.toLowerCase()))?.[1] ?? 0);
  }
  return sum;
}
