import { ToolContractError } from "@toolcontract/core";
import { wholeFrom } from "@toolcontract/core/adapter";

import { truncationNotice } from "../shared/index.ts";

/** How many UTF-8 bytes there were, and how many are left. */
interface Truncation {
  /** Bytes of the original. */
  readonly size: number;
  /** Bytes of the original that are left, the notice not counted. */
  readonly kept: number;
  /** Whether the original exceeded its limit. */
  readonly isTruncated: boolean;
}

/** A string within its limit. */
export interface TruncatedText extends Truncation {
  /** The original, or the notice and the beginning of the original. */
  readonly text: string;
}

/** The strings of one result within their common limit. */
export interface TruncatedTexts extends Truncation {
  /** As many as were given; after the one that was cut, the rest are empty. The notice begins the first. */
  readonly texts: readonly string[];
}

const utf8Encoder = new TextEncoder();

/**
 * Cuts a string to at most `max` UTF-8 bytes, never inside a character, below a line that says so.
 *
 * @remarks The line is `[TRUNCATED] Original size X bytes; truncated to Y bytes.`, where Y is the limit; it is not counted.
 * @example
 * ```ts
 * const { text } = truncateText(page, 32_768);
 * ```
 * @see packages/session/README.md
 */
export function truncateText(text: string, max: number): TruncatedText {
  const {
    texts: [kept = ""],
    ...truncation
  } = truncateTexts([text], max);
  return { text: kept, ...truncation };
}

/**
 * Cuts all strings of one result to at most `max` UTF-8 bytes together, below one line that says so.
 *
 * @throws ToolContractError if `max` is not a whole number of at least 0.
 * @example
 * ```ts
 * const { texts } = truncateTexts([page, page], 32_768);
 * ```
 * @see packages/session/README.md
 */
export function truncateTexts(texts: readonly string[], max: number): TruncatedTexts {
  if (!wholeFrom(0).fits(max)) {
    throw new ToolContractError(
      "truncateTexts: `max` must be a whole number of bytes, of at least 0.",
    );
  }
  const size = texts.reduce((sum, text) => sum + utf8Encoder.encode(text).length, 0);
  if (size <= max) return { texts, size, kept: size, isTruncated: false };
  let kept = 0;
  let isCut = false;
  const beginnings = texts.map((text) => {
    if (isCut) return "";
    const beginning = fitBytes(text, max - kept);
    kept += beginning.bytes;
    isCut = beginning.text.length < text.length;
    return beginning.text;
  });
  const [first = "", ...rest] = beginnings;
  return { texts: [truncationNotice(size, max) + first, ...rest], size, kept, isTruncated: true };
}

/** The longest beginning of at most `max` bytes. A lone surrogate takes three bytes, as encoders write U+FFFD for it. */
function fitBytes(text: string, max: number): { readonly text: string; readonly bytes: number } {
  // No character takes more than three bytes for each of its units.
  const room = new Uint8Array(Math.min(max, text.length * 3));
  const { read, written } = utf8Encoder.encodeInto(text, room);
  return { text: text.slice(0, read), bytes: written };
}
