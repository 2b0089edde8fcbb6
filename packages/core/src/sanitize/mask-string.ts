import { coverJson } from "./cover-json.ts";
import { isHiddenChild } from "./hidden-child.ts";
import { maskText, type MaskedText } from "./mask-text.ts";
import { REDACTED } from "./redacted.ts";
import type { SecretPlace } from "./secret-place.ts";

/** JSON text up to this size is parsed; longer text is searched as it stands. */
const PARSE_LIMIT = 4096;

/** How many strings deep JSON inside JSON is followed. */
const LEVELS = 2;

/** Masks one string value; JSON in it is parsed first, so that secrets inside are known by their names. */
export function maskString(raw: string, window?: number, place?: SecretPlace): MaskedText {
  const text = hideInJson(place ? coverJson(raw, place) : raw, LEVELS);
  const masked = maskText(text, window);
  return { ...masked, changed: masked.changed || text !== raw };
}

function hideInJson(raw: string, levels: number): string {
  if (levels === 0 || raw.length > PARSE_LIMIT || !/^\s*[[{"]/.test(raw)) return raw;
  let isChanged = false;
  function hide(this: unknown, key: string, value: unknown): unknown {
    if (isHiddenChild(this, key, value)) {
      isChanged = true;
      return REDACTED;
    }
    if (typeof value !== "string") return value;
    const inner = hideInJson(value, levels - 1);
    isChanged ||= inner !== value;
    return inner;
  }
  try {
    const parsed: unknown = JSON.parse(raw, hide);
    return isChanged ? JSON.stringify(parsed) : raw;
  } catch {
    return raw;
  }
}
