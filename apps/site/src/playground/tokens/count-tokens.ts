import { encodeGenerator } from "gpt-tokenizer/encoding/o200k_base";
import type { TokenCount } from "./token-count.ts";

/** A longer text is counted up to here. */
const MOST_CHARACTERS = 100_000;
/**
 * A longer word, space or row of signs is not counted: the tokenizer's work grows with the square of its length. A
 * message of the default length has none.
 */
const LONGEST_RUN = 2_500;
// A mark may belong to a word or to a row of signs.
const RUNS = [/[\p{L}\p{M}]+/gu, /\s+/gu, /[^\s\p{L}\p{N}]+/gu];

/** Counts a text in o200k, the encoding of GPT-4o and later, as plain text: `<|endoftext|>` is no control token. */
export function countTokens(text: string): TokenCount {
  const counted = beforeLongRun(text.slice(0, MOST_CHARACTERS));
  const isCut = counted.length < text.length;
  const words = Array.from(
    encodeGenerator(counted, { disallowedSpecial: new Set() }),
    ({ length }) => length,
  );
  // Those before the last two are words of the whole text too, wherever it was cut.
  const whole = isCut ? words.slice(0, -2) : words;
  return { tokens: whole.reduce((sum, length) => sum + length, 0), isCut };
}

function beforeLongRun(text: string): string {
  const ends = RUNS.map((run) => {
    for (const { 0: found, index } of text.matchAll(run))
      if (found.length > LONGEST_RUN) return index;
    return text.length;
  });
  return text.slice(0, Math.min(...ends));
}
