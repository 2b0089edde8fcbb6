/** How a message is laid out: several labelled lines a fault, or one line a fault. */
export type MessageStyle = "standard" | "compact";

/** How a message is laid out, and how large it and its parts may be. */
export interface FormatOptions {
  readonly style: MessageStyle;
  /** The longest message, in UTF-16 units; at least 400. */
  readonly maxLength: number;
  /** How many errors, advisories included, a message shows. */
  readonly maxErrors: number;
  /** How many graphemes of a value are shown. */
  readonly maxValuePreview: number;
  /** The most tokens that a message may take, where that is limited too. */
  readonly maxTokens?: number | undefined;
  /** Estimates how many tokens a string takes; by default a third of its UTF-8 bytes. */
  readonly estimateTokens: (text: string) => number;
}

/** The longest message that is ever written or read, whatever the options say. */
export const LONGEST_MESSAGE = 1_000_000;

/** The limits that hold unless the host sets others. */
export const DEFAULT_FORMAT: FormatOptions = {
  style: "standard",
  maxLength: 2000,
  maxErrors: 10,
  maxValuePreview: 100,
  maxTokens: undefined,
  estimateTokens,
};

const encoder = new TextEncoder();

/**
 * Estimates the tokens of a text as its UTF-8 bytes divided by three, rounded up.
 *
 * @remarks Errs on the high side for prose and code; pass the model's own counter where the budget is tight.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(encoder.encode(text).length / 3);
}
