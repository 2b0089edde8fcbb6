/** The number of tokens of a string in o200k. */
export interface TokenCount {
  readonly tokens: number;
  /** Whether the string is too long to be counted to its end; it has more than `tokens` then. */
  readonly isCut: boolean;
}

/** As the page shows it, such as `"412 tokens"` or `"more than 25,120 tokens"`. */
export function tokensInWords({ tokens, isCut }: TokenCount): string {
  const number = tokens.toLocaleString("en");
  if (isCut) return `more than ${number} tokens`;
  return tokens === 1 ? "1 token" : `${number} tokens`;
}
