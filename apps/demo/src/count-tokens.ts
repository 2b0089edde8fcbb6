import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";

/** Counts tokens in the o200k encoding; other models count slightly differently. */
export function countTokens(text: string): number {
  return countO200k(text);
}
