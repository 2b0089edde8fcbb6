export { createTokenCounter } from "./token-counter.ts";
export { tokensInWords } from "./token-count.ts";
