import { encodeGenerator } from "gpt-tokenizer/encoding/o200k_base";

/** The number of tokens of a string in o200k. */
export interface TokenCount {
  /** How many there are, at least. */
  readonly tokens: number;
  /** Whether the string is too long to be counted to its end; it has more than `tokens` then. */
  readonly isCut: boolean;
}

/** A longer string is counted up to here. */
const MOST_CHARACTERS = 100_000;
/**
 * A longer word, space or row of signs is not counted: the tokenizer's work grows with the square of its length. A
 * message of the default length has none.
 */
const LONGEST_RUN = 2_500;
/** In UTF-16 units: a row of spaces. */
const LONGEST_TOKEN = 128;
// A mark may belong to a word or to a row of signs.
const RUNS = [/[\p{L}\p{M}]+/gu, /\s+/gu, /[^\s\p{L}\p{N}]+/gu];

/** Counts a string in o200k, the encoding of GPT-4o and later, as plain text: `<|endoftext|>` is not a control token. */
export function countTokens(text: string): TokenCount {
  const counted = beforeLongRun(text.slice(0, MOST_CHARACTERS));
  const isCut = counted.length < text.length;
  const words = Array.from(
    encodeGenerator(counted, { disallowedSpecial: new Set() }),
    ({ length }) => length,
  );
  const tokens = sumOf(words);
  if (!isCut) return { tokens, isCut };
  // All but the last two are words of the whole string too, wherever it was cut.
  const least = Math.ceil((text.length - counted.length) / LONGEST_TOKEN) - 1;
  return { tokens: tokens - sumOf(words.slice(-2)) + least, isCut };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function beforeLongRun(text: string): string {
  const ends = RUNS.map((run) => {
    for (const { 0: found, index } of text.matchAll(run))
      if (found.length > LONGEST_RUN) return index;
    return text.length;
  });
  return text.slice(0, Math.min(...ends));
}
