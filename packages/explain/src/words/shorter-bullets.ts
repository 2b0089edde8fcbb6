import { clip } from "../sanitize/index.ts";
import { type ValidationError, meaningOf } from "../shared/index.ts";
import { type Bullet, withoutActual } from "./bullets.ts";
import { shortenWords } from "./read-words.ts";
import { formatCompactBullet, formatStandardBullet, type MessageStyle } from "./styles.ts";
import { withFactsOf, writtenFacts } from "./written-facts.ts";

const MAX_EXPECTED = 160;

/**
 * The lengths that a message's strings are cut to, step by step; then only place, code and its meaning are kept, and in
 * the end the beginning of the meaning.
 */
export const CUTS = [240, 120, 60, 30] as const;
/** How many steps the only bullet left can be cut in. */
export const CUT_STEPS: number = CUTS.length + 2;
const LEAST = 8;

/** A bullet with all details, without what was sent, and also with a short expectation. */
export interface Levels {
  readonly whole: Bullet;
  readonly valueless: Bullet;
  readonly brief: Bullet;
}

/** Writes a bullet. */
export function formatBullet(bullet: Bullet, style: MessageStyle): string {
  return style === "standard" ? formatStandardBullet(bullet) : formatCompactBullet(bullet);
}

/** Writes down what a bullet may become if its message is too long. */
export function toLevels(whole: Bullet, style: MessageStyle): Levels {
  const valueless = shorter(whole, withoutActual(whole.error), style);
  return { whole, valueless, brief: shortenExpected(valueless, style) };
}

/** Shortens a long list to its first values and a count, and any other long expectation to its beginning. */
function shortenExpected(bullet: Bullet, style: MessageStyle): Bullet {
  const { error } = bullet;
  if (error.expectedValue === undefined) return bullet;
  const expectedValue = clip(briefExpectation(error, error.expectedValue), MAX_EXPECTED);
  return shorter(bullet, withFactsOf(error, { ...error, expectedValue }), style);
}

function briefExpectation(error: ValidationError, words: string): string {
  const facts = writtenFacts(error);
  return facts?.brief ? facts.brief() : shortenWords(words);
}

function shorter(bullet: Bullet, error: ValidationError, style: MessageStyle): Bullet {
  const short = { ...bullet, error };
  return formatBullet(short, style).length < formatBullet(bullet, style).length ? short : bullet;
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
): readonly Bullet[] {
  const { length } = bullets;
  return bullets.slice(0, length - hidden).map((levels, index) => {
    if (index < length - valueless) return levels.whole;
    return index < length - brief ? levels.valueless : cutBullet(levels.brief, cut);
  });
}

/** Cuts the only bullet left, step by step: all places but the first, then every string. */
function cutBullet(bullet: Bullet, step: number): Bullet {
  if (step === 0) return bullet;
  const error = cutError(bullet.error, step);
  return { error, places: [error.fieldPath] };
}

function cutError(error: ValidationError, step: number): ValidationError {
  const { errorCode, severity, fieldPath, message, expectedValue, hint } = error;
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
