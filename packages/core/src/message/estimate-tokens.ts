const encoder = new TextEncoder();

/**
 * Estimates the tokens of a text as its UTF-8 bytes divided by three, rounded up.
 *
 * @remarks Errs on the high side for prose and code; pass the model's own counter where the budget is tight.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(encoder.encode(text).length / 3);
}
