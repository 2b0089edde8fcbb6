import { clip } from "../sanitize/index.ts";
import { type ValidationError, meaningOf } from "../shared/index.ts";
import { withFactsOf, writtenFacts } from "./derive-message.ts";
import { shortenWords } from "./read-words.ts";
import { formatCompactBullet, formatStandardBullet, type MessageStyle } from "./styles.ts";

const MAX_EXPECTED = 160;

/**
 * The lengths that a message's strings are cut to, step by step; then only place, code and its meaning are kept, and in
 * the end the beginning of the meaning.
 */
export const CUTS = [240, 120, 60, 30] as const;
/** How many steps the only bullet left can be cut in. */
export const CUT_STEPS: number = CUTS.length + 2;
const LEAST = 8;

/** An error with all details, without what was sent, and also with a short expectation. */
export interface Levels {
  readonly whole: ValidationError;
  readonly valueless: ValidationError;
  readonly brief: ValidationError;
}

/** Writes an error as a bullet. */
export function formatBullet(error: ValidationError, style: MessageStyle): string {
  return style === "standard" ? formatStandardBullet(error) : formatCompactBullet(error);
}

/** Writes down what a bullet may become if its message is too long. */
export function toLevels(whole: ValidationError, style: MessageStyle): Levels {
  const valueless = dropActual(whole, style);
  return { whole, valueless, brief: shortenExpected(valueless, style) };
}

/** Drops what was sent, if that makes the bullet shorter. */
function dropActual(error: ValidationError, style: MessageStyle): ValidationError {
  const { actualValue: _, ...rest } = error;
  return shorter(error, withFactsOf(error, rest), style);
}

/** Shortens a long list to its first values and a count, and any other long expectation to its beginning. */
function shortenExpected(error: ValidationError, style: MessageStyle): ValidationError {
  if (error.expectedValue === undefined) return error;
  const expectedValue = clip(briefExpectation(error, error.expectedValue), MAX_EXPECTED);
  return shorter(error, withFactsOf(error, { ...error, expectedValue }), style);
}

function briefExpectation(error: ValidationError, words: string): string {
  const facts = writtenFacts(error);
  return facts?.brief ? facts.brief() : shortenWords(words);
}

function shorter(a: ValidationError, b: ValidationError, style: MessageStyle): ValidationError {
  return formatBullet(b, style).length < formatBullet(a, style).length ? b : a;
}

/** By how much the bullets of a message are shortened. */
interface Shortening {
  /** How many bullets, from the last, lose what was sent. */
  readonly valueless: number;
  /** How many of them have a short expectation besides. */
  readonly brief: number;
  /** How many are left out. */
  readonly hidden: number;
  /** By how many steps the strings of those are cut that are as short as they get. */
  readonly cut: number;
}

/** Shortens the bullets of a message, from the last one. */
export function shortenBullets(
  bullets: readonly Levels[],
  { valueless, brief, hidden, cut }: Shortening,
): readonly ValidationError[] {
  const { length } = bullets;
  return bullets.slice(0, length - hidden).map((levels, index) => {
    if (index < length - valueless) return levels.whole;
    return index < length - brief ? levels.valueless : cutError(levels.brief, cut);
  });
}

/** Cuts every string of the only bullet left, step by step. */
function cutError(error: ValidationError, step: number): ValidationError {
  const { errorCode, severity, fieldPath, message, expectedValue, hint } = error;
  if (step === 0) return error;
  const max = CUTS[step - 1];
  if (max === undefined) {
    const meaning = meaningOf(errorCode) ?? clip(message, LEAST);
    // The meaning of a code that a package registered may be long.
    const shown = step === CUT_STEPS ? clip(meaning, LEAST) : meaning;
    return { errorCode, severity, fieldPath: clip(fieldPath, LEAST), message: shown };
  }
  return withFactsOf(error, {
    errorCode,
    severity,
    fieldPath: clip(fieldPath, max),
    message: clip(message, max),
    ...(expectedValue !== undefined && { expectedValue: clip(expectedValue, max) }),
    ...(hint !== undefined && { hint: clip(hint, max) }),
  });
}
