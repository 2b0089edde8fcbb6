// Exact token counts, with the vocabulary of a tokenizer: @toolcontract/lint/tokens.

export { countTokens } from "./tokens/index.ts";
export type { TokenCount } from "./tokens/index.ts";
