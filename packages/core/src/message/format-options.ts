import type { MessageStyle } from "@toolcontract/explain";

/** The longest message that is written or read, whatever the options say. */
export const LONGEST_MESSAGE = 1_000_000;

/** The defaults of the options. */
export const DEFAULT_FORMAT: FormatOptions = {
  style: "standard",
  maxLength: 2000,
  maxErrors: 10,
  maxValuePreview: 100,
  maxTokens: undefined,
  estimateTokens,
};

const encoder = new TextEncoder();

/** How a message is laid out, and how large it and its parts may be. */
export interface FormatOptions {
  readonly style: MessageStyle;
  /** The longest message, in UTF-16 units; at least 400. */
  readonly maxLength: number;
  /** How many errors, advisories included, a message shows. */
  readonly maxErrors: number;
  /** How many graphemes of a value are shown. */
  readonly maxValuePreview: number;
  /** The most tokens that a message may take; undefined for no limit. */
  readonly maxTokens?: number | undefined;
  /** Estimates how many tokens a string takes; by default a third of its UTF-8 bytes. */
  readonly estimateTokens: (text: string) => number;
}

/**
 * Estimates the tokens of a string as a third of its UTF-8 bytes, rounded up.
 *
 * @remarks The estimate is too high for prose and code; if the budget is tight, pass the model's own counter.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(encoder.encode(text).length / 3);
}
