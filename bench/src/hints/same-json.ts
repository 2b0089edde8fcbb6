import { isDeepStrictEqual } from "node:util";

/** Whether two values are the same JSON. */
export function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(sorted(a), sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
