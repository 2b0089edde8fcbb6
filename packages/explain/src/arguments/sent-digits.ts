import type { PathSegment } from "../shared/index.ts";
import { parseNative } from "./repair.ts";

/** The longest number that is shown digit by digit. */
const MAX_DIGITS = 38;
/** Longer text is not searched again. */
const MAX_TEXT = 100_000;
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Returns a number as its JSON text has it: parsing rounds long ones, and makes `3.1` of `3.10`. */
export function sentDigits(text: string, path: readonly PathSegment[]): string | undefined {
  if (text.length > MAX_TEXT) return undefined;
  const quoted = text.replaceAll(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
  let value = parseNative(quoted)?.value;
  for (const segment of path) {
    const isInside = typeof value === "object" && value !== null && Object.hasOwn(value, segment);
    value = isInside ? (value as Readonly<Record<PathSegment, unknown>>)[segment] : undefined;
  }
  return typeof value === "string" && value.length <= MAX_DIGITS ? value : undefined;
}
