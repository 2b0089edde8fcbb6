import { isHarmless } from "./hidden-child.ts";
import { REDACTED } from "./redacted.ts";
import type { SecretPlace } from "./secret-place.ts";

const PARSE_LIMIT = 16_384;

/** How many strings deep JSON inside JSON is followed. */
const LEVELS = 2;

/**
 * Hides inside a text what the schema calls a secret, where an object or array that holds one was wanted.
 *
 * Text that cannot be read as JSON is hidden whole: it may well be the secret itself.
 */
export function coverJson(raw: string, place: SecretPlace, levels: number = LEVELS): string {
  if (raw === "") return raw;
  if (levels === 0 || raw.length > PARSE_LIMIT || !/^\s*[[{"]/.test(raw)) return REDACTED;
  try {
    const parsed: unknown = JSON.parse(raw);
    const covered = cover(parsed, place, levels);
    return covered === parsed ? raw : JSON.stringify(covered);
  } catch {
    return REDACTED;
  }
}

/** A copy in which the secrets are covered; the value itself where it holds none. */
function cover(value: unknown, place: SecretPlace, levels: number): unknown {
  if (typeof value === "string") return coverJson(value, place, levels - 1);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, child]: [string, unknown]) => {
    const inner = place.inside(key);
    if (!inner) return { key, child, covered: child };
    if (inner.hidden) return { key, child, covered: isHarmless(child) ? child : REDACTED };
    return { key, child, covered: cover(child, inner, levels) };
  });
  if (entries.every(({ child, covered }) => child === covered)) return value;
  if (Array.isArray(value)) return entries.map(({ covered }) => covered);
  return Object.fromEntries(entries.map(({ key, covered }) => [key, covered]));
}
