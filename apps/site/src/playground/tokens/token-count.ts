import type { TokenCount } from "./count-tokens.ts";

/** As the page shows it, such as `"412 tokens"` or `"more than 25,120 tokens"`. */
export function tokensInWords({ tokens, isCut }: TokenCount): string {
  const number = tokens.toLocaleString("en");
  if (isCut) return `more than ${number} tokens`;
  return tokens === 1 ? "1 token" : `${number} tokens`;
}
