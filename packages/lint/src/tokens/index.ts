export { countTokens, type TokenCount } from "./count-tokens.ts";
