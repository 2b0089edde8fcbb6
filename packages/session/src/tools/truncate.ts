import { ToolContractError } from "@toolcontract/core";
import { wholeFrom } from "@toolcontract/core/adapter";

import { leftOut, truncationNotice } from "../shared/index.ts";

/** How many UTF-8 bytes there were, and how many are left. */
interface Truncation {
  /** Bytes of the original. */
  readonly size: number;
  /** Bytes of the original that are left; the notice and the mark are not counted. */
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
  /** As many as were given; those between the beginning and the end are empty. The notice begins the first. */
  readonly texts: readonly string[];
}

const utf8Encoder = new TextEncoder();

/** What is kept of a result that is cut: its beginning, or its beginning and its end, where logs and errors have what matters. */
type Kept = "head" | "head-and-tail";

/** Below so many bytes an end would take away from a beginning that says little already. */
const LEAST_WITH_TAIL = 256;

/**
 * Cuts a string to at most `max` UTF-8 bytes, never inside a character, below a line that says so.
 *
 * @remarks The line is `[TRUNCATED] Original size X bytes; truncated to Y bytes.`, where Y is the limit; it is not counted, nor is the
 * mark between beginning and end, `[... N bytes left out ...]`.
 * @param keep - What is kept; below 256 bytes it is the beginning alone.
 * @example
 * ```ts
 * const { text } = truncateText(page, 32_768);
 * ```
 * @see packages/session/README.md
 */
export function truncateText(text: string, max: number, keep?: Kept): TruncatedText {
  const {
    texts: [kept = ""],
    ...truncation
  } = truncateTexts([text], max, keep);
  return { text: kept, ...truncation };
}

/**
 * Cuts all strings of one result to at most `max` UTF-8 bytes together, below one line that says so.
 *
 * @param keep - What is kept: of several strings the beginning of the first ones, and the end of the last ones.
 * @throws ToolContractError if `max` is not a whole number of at least 0.
 * @example
 * ```ts
 * const { texts } = truncateTexts([page, page], 32_768);
 * ```
 * @see packages/session/README.md
 */
export function truncateTexts(
  texts: readonly string[],
  max: number,
  keep: Kept = "head-and-tail",
): TruncatedTexts {
  if (!wholeFrom(0).fits(max)) {
    throw new ToolContractError(
      "truncateTexts: `max` must be a whole number of bytes, of at least 0.",
    );
  }
  const size = texts.reduce((sum, text) => sum + bytesOf(text), 0);
  if (size <= max) return { texts, size, kept: size, isTruncated: false };
  const hasTail = keep === "head-and-tail" && max >= LEAST_WITH_TAIL;
  const heads = beginningsOf(texts, hasTail ? Math.ceil((max * 2) / 3) : max);
  const rest = texts.map((text, index) => text.slice(heads[index]?.length));
  const tails = hasTail ? endsOf(rest, Math.floor(max / 3)) : rest.map(() => "");
  const kept = [...heads, ...tails].reduce((sum, text) => sum + bytesOf(text), 0);
  const gap = heads.findIndex((head, index) => head.length < (texts[index] ?? "").length);
  const cut = heads.map((head, index) => {
    const mark = hasTail && index === gap ? leftOut(size - kept) : "";
    return head + mark + (tails[index] ?? "");
  });
  const [first = "", ...others] = cut;
  return { texts: [truncationNotice(size, max) + first, ...others], size, kept, isTruncated: true };
}

function beginningsOf(texts: readonly string[], max: number): readonly string[] {
  let left = max;
  let isCut = false;
  return texts.map((text) => {
    if (isCut) return "";
    const beginning = fitBytes(text, left);
    left -= beginning.bytes;
    isCut = beginning.text.length < text.length;
    return beginning.text;
  });
}

function endsOf(texts: readonly string[], max: number): readonly string[] {
  let left = max;
  let isCut = false;
  const ends = texts.toReversed().map((text) => {
    if (isCut) return "";
    const end = fitEnd(text, left);
    left -= bytesOf(end);
    isCut = end.length < text.length;
    return end;
  });
  return ends.toReversed();
}

function bytesOf(text: string): number {
  return utf8Encoder.encode(text).length;
}

/** The longest beginning of at most `max` bytes. A lone surrogate takes three bytes, as encoders write U+FFFD for it. */
function fitBytes(text: string, max: number): { readonly text: string; readonly bytes: number } {
  // No character takes more than three bytes for each of its units.
  const room = new Uint8Array(Math.min(max, text.length * 3));
  const { read, written } = utf8Encoder.encodeInto(text, room);
  return { text: text.slice(0, read), bytes: written };
}

/** The longest end of at most `max` bytes; no character takes fewer bytes than units. */
function fitEnd(text: string, max: number): string {
  let end = text.slice(Math.max(0, text.length - max));
  let size = bytesOf(end);
  let at = 0;
  while (size > max) {
    const character = String.fromCodePoint(end.codePointAt(at) ?? 0);
    size -= bytesOf(character);
    at += character.length;
  }
  end = end.slice(at);
  // Never the second half of a pair.
  const isHalf = /^[\uDC00-\uDFFF]/.test(end) && end.length < text.length;
  return isHalf && /[\uD800-\uDBFF]$/.test(text.slice(0, -end.length)) ? end.slice(1) : end;
}
