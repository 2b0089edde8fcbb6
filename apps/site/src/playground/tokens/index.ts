export { createTokenCounter, type TokenCounter } from "./token-counter.ts";
export { type TokenCount, tokensInWords } from "./token-count.ts";
