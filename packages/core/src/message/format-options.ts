import type { MessageStyle } from "@toolcontract/explain";
import {
  type OptionTable,
  defaultsOf,
  isFunction,
  oneOf,
  wholeFrom,
} from "@toolcontract/explain/options";

/** The longest message that is written or read, whatever the options say. */
export const LONGEST_MESSAGE = 1_000_000;

const encoder = new TextEncoder();

/**
 * How a message is laid out, and how large it and its parts may be.
 *
 * @example
 * ```ts
 * const format: Partial<FormatOptions> = { style: "compact", maxLength: 1000, maxErrors: 5 };
 * ```
 * @see docs/message-format.md
 */
export interface FormatOptions {
  readonly style: MessageStyle;
  /** The longest message, in UTF-16 units; at least 400. */
  readonly maxLength: number;
  /** How many errors, advisories included, a message shows. */
  readonly maxErrors: number;
  /** How many graphemes of a value are shown. */
  readonly maxValuePreview: number;
  /**
   * The most tokens that a message may take.
   *
   * @default no limit
   */
  readonly maxTokens?: number | undefined;
  /**
   * Estimates how many tokens a string takes.
   *
   * @default a third of its UTF-8 bytes
   */
  readonly estimateTokens: (text: string) => number;
}

/** What each option is; the names have the prefix `format.` outside. */
export const FORMAT_OPTIONS: OptionTable<keyof FormatOptions> = /* @__PURE__ */ (() => ({
  style: {
    ...oneOf("standard", "compact"),
    fallback: "standard",
    key: "formatting.style",
    about: "standard: labelled lines for each error; compact: one line for each.",
  },
  maxLength: {
    ...wholeFrom(400),
    fallback: 2000,
    key: "formatting.max_message_length",
    about: "The longest message, in UTF-16 units.",
  },
  maxErrors: {
    ...wholeFrom(1),
    fallback: 10,
    key: "formatting.max_errors_shown",
    about: "How many errors a message shows.",
  },
  maxValuePreview: {
    ...wholeFrom(1),
    fallback: 100,
    key: "formatting.max_value_preview",
    about: "How many characters of a value are shown.",
  },
  maxTokens: {
    ...wholeFrom(1),
    fallback: undefined,
    key: "formatting.max_tokens",
    example: 500,
    about: "The most tokens that a message may take; without it, only the length counts.",
  },
  estimateTokens: { ...isFunction, fallback: tokensByBytes },
}))();

/** The defaults of the options. */
export const DEFAULT_FORMAT = /* @__PURE__ */ defaultsOf(
  FORMAT_OPTIONS,
) as unknown as FormatOptions;

/**
 * Estimates the tokens of a string as a third of its UTF-8 bytes, rounded up.
 *
 * @remarks The estimate is too high for prose and code; if the budget is tight, pass the model's own counter.
 */
export function tokensByBytes(text: string): number {
  return Math.ceil(encoder.encode(text).length / 3);
}
