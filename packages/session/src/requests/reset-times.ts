import { durationOf, partsOf, readMember } from "@toolcontract/core/adapter";
import { bodyOf } from "./error-body.ts";
import { durationInWords } from "./retry-after.ts";

/** A header that says when a limit is free again, and the one that says what is left of it. */
interface Family {
  readonly reset: RegExp;
  readonly remaining: (name: string) => string;
}

/** The headers of OpenAI and those after it, of Anthropic, and of the drafts of `RateLimit`. */
const FAMILIES: readonly Family[] = [
  {
    reset: /^(?:x-)?ratelimit-reset(?:-[a-z-]+)?$/,
    remaining: (name) => name.replace("-reset", "-remaining"),
  },
  {
    reset: /^anthropic-ratelimit-[a-z-]+-reset$/,
    remaining: (name) => name.replace(/-reset$/, "-remaining"),
  },
];

const MAX_HEADERS = 200;

/**
 * Reads from the headers of an error, or those that a router repeats in its body, for how long a limit that is used up stays so, in
 * milliseconds. Undefined if no limit is said to be used up. Never throws.
 *
 * @param now - Milliseconds since 1970.
 */
export function resetIn(error: unknown, now: number): number | undefined {
  const parts = partsOf(error);
  const all = [...parts, ...parts.flatMap((part) => partsOf(bodyOf(part)))];
  const waits = all.flatMap((part) =>
    [part, readMember(part, "metadata")].flatMap((holder) =>
      ["headers", "responseHeaders"].flatMap((name) => waitsIn(readMember(holder, name), now)),
    ),
  );
  return waits.length === 0 ? undefined : Math.max(...waits);
}

function waitsIn(given: unknown, now: number): readonly number[] {
  const headers = headersIn(given);
  const waits = [...headers].flatMap(([name, value]) => {
    const family = FAMILIES.find(({ reset }) => reset.test(name));
    if (!family) return name === "ratelimit" ? draftWait(value) : [];
    const left = headers.get(family.remaining(name));
    if (left !== undefined && Number(left) > 0) return [];
    return untilReset(value, now) ?? [];
  });
  return waits;
}

/** `limit=10, remaining=0, reset=8`, and `"default";r=0;t=8`. */
function draftWait(value: string): readonly number[] {
  const [, left] = /(?:remaining|\br)=(\d{1,9})/.exec(value) ?? [];
  const [, seconds] = /(?:reset|\bt)=(\d{1,9})/.exec(value) ?? [];
  if (seconds === undefined || (left !== undefined && Number(left) > 0)) return [];
  return [Number(seconds) * 1_000];
}

/** Seconds, a point in time in seconds or milliseconds since 1970, words such as "1m30s", or a date. */
function untilReset(value: string, now: number): number | undefined {
  const number = durationOf(value, 1);
  if (number !== undefined) {
    if (number < 1e9) return number * 1_000;
    return Math.max(0, (number < 1e12 ? number * 1_000 : number) - now);
  }
  const words = durationInWords(value);
  if (words !== undefined) return words;
  const date = /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function headersIn(given: unknown): ReadonlyMap<string, string> {
  try {
    const entries: Iterable<readonly [string, unknown]> =
      typeof readMember(given, "entries") === "function"
        ? (given as Headers).entries()
        : Object.entries(given ?? {});
    const found = new Map<string, string>();
    for (const [name, value] of entries) {
      if (found.size === MAX_HEADERS) break;
      if (typeof value === "string" || typeof value === "number") {
        found.set(name.toLowerCase(), String(value).slice(0, 64));
      }
    }
    return found;
  } catch {
    return new Map();
  }
}
