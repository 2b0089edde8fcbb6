// Exact token counts, with a vocabulary of two megabytes: @toolcontract/lint/tokens.

export { countTokens } from "./tokens/index.ts";
export type { TokenCount } from "./tokens/index.ts";
