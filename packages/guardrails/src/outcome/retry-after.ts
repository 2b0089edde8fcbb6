import { isArray, read } from "./read.ts";

/**
 * When the same call may be tried again, as the response of an error says it: seconds, or a date of HTTP.
 *
 * @param now - Milliseconds of the clock.
 */
export function retryAfterOf(error: unknown, now: number): number | undefined {
  const response = read(error, "response");
  const places = [
    read(error, "headers"),
    read(response, "headers"),
    read(error, "responseHeaders"),
    read(read(error, "$response"), "headers"),
  ];
  for (const headers of places) {
    const precise = Number(headerOf(headers, "retry-after-ms") ?? Number.NaN);
    if (Number.isFinite(precise) && precise >= 0) return precise;
    const wait = waitOf(headerOf(headers, "retry-after"), now);
    if (wait !== undefined) return wait;
  }
  return undefined;
}

function waitOf(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,10}(?:\.\d{1,3})?$/.test(value)) return Math.round(Number(value) * 1000);
  // A date names its month; `Date.parse` also takes bare numbers, which mean no date here.
  const at = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** Reads a header from `Headers`, or from an object whose keys are spelt in any case. */
function headerOf(headers: unknown, name: string): string | undefined {
  if (typeof headers !== "object" || headers === null) return undefined;
  try {
    const value = headers instanceof Headers ? headers.get(name) : fromRecord(headers, name);
    const first: unknown = isArray(value) ? value[0] : value;
    if (typeof first === "number") return String(first);
    return typeof first === "string" && first.length <= 64 ? first.trim() : undefined;
  } catch {
    // A getter or a proxy that throws.
    return undefined;
  }
}

function fromRecord(headers: object, name: string): unknown {
  const get = read(headers, "get");
  if (typeof get === "function") return Reflect.apply(get, headers, [name]);
  const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name);
  return key === undefined ? undefined : read(headers, key);
}
