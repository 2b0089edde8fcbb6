import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";

/** Counts the tokens of a text in the o200k encoding; other models count a little differently. */
export function countTokens(text: string): number {
  return countO200k(text);
}
