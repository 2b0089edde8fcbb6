import { clip } from "../sanitize/index.ts";
import { type Undone, type ValidationError, meaningOf } from "../shared/index.ts";
import { type FormatOptions, type MessageStyle, estimateTokens } from "./format-options.ts";
import {
  ADVISORIES_HEADING,
  ERRORS_HEADING,
  GUIDANCE_HEADING,
  formatMore,
  formatRepeat,
  formatUndone,
} from "./frame.ts";
import { shortenWords } from "./read-words.ts";
import { formatCompactBullet, formatStandardBullet } from "./styles.ts";
import { withFactsOf, writtenFacts } from "./derive-message.ts";

const MAX_EXPECTED = 160;

/**
 * The lengths that a message's strings are cut to, step by step; then only place, code and its meaning are kept, and in
 * the end the beginning of the meaning.
 */
export const CUTS = [240, 120, 60, 30] as const;
const CUT_STEPS: number = CUTS.length + 2;
const LEAST = 8;

/** A message before it is laid out; its strings are ready to be shown. */
export interface MessageDraft {
  readonly style: MessageStyle;
  /** The summary line; a note on a call that ran has neither this nor a closing line. */
  readonly header?: string;
  readonly errors: readonly ValidationError[];
  /** How many errors there are besides the shown ones. */
  readonly hiddenErrors: number;
  readonly atLeast: boolean;
  readonly advisories: readonly ValidationError[];
  readonly guidance: readonly string[];
  /** What was undone; never dropped, because the model must not guess it, but names may be. */
  readonly undone?: Undone;
  readonly repeats?: number;
  readonly earlier: readonly string[];
  readonly closing?: string;
}

/** An error with all details, without what was sent, and also with a short expectation. */
interface Levels {
  readonly whole: ValidationError;
  readonly valueless: ValidationError;
  readonly brief: ValidationError;
}

/**
 * Lays a draft out so that it fits, dropping as little as possible in a fixed order.
 *
 * What was sent goes first, then long expectations, guidance, earlier attempts, bullets from the end, and the names of
 * effects. Each step drops one thing more than the one before, so a binary search finds the first that fits.
 */
export function fitBudget(draft: MessageDraft, options: FormatOptions): string {
  let text = layOut(draft);
  if (fits(text, options)) return text;
  const bullets = [...draft.errors, ...draft.advisories].map((error) =>
    toLevels(error, draft.style),
  );
  let tooLong = 0;
  let enough = 3 * bullets.length + draft.guidance.length + draft.earlier.length + 2 + CUT_STEPS;
  text = layOut(degrade(draft, bullets, enough));
  while (enough - tooLong > 1) {
    const middle = Math.floor((tooLong + enough) / 2);
    const candidate = layOut(degrade(draft, bullets, middle));
    if (fits(candidate, options)) {
      enough = middle;
      text = candidate;
    } else tooLong = middle;
  }
  return text;
}

/** Lays a draft out; the order of the sections is fixed. */
function layOut(draft: MessageDraft): string {
  const { style, header, errors, hiddenErrors, advisories, guidance, repeats, closing } = draft;
  const isStandard = style === "standard";
  const lines: string[] = [];
  if (header !== undefined) lines.push(header);
  if (isStandard && header !== undefined) lines.push("", ERRORS_HEADING);
  for (const error of errors) lines.push(formatBullet(error, style));
  if (hiddenErrors > 0) lines.push(formatMore(hiddenErrors, draft.atLeast));
  if (advisories.length > 0) lines.push(ADVISORIES_HEADING);
  for (const advisory of advisories) lines.push(formatBullet(advisory, style));
  const end: string[] = [];
  if (guidance.length > 0) end.push(GUIDANCE_HEADING);
  for (const line of guidance) end.push(`  ${line}`);
  if (draft.undone !== undefined) end.push(formatUndone(draft.undone));
  if (repeats !== undefined) end.push(formatRepeat(repeats));
  end.push(...draft.earlier);
  if (closing !== undefined) end.push(closing);
  if (isStandard && end.length > 0) lines.push("");
  return [...lines, ...end].join("\n");
}

function formatBullet(error: ValidationError, style: MessageStyle): string {
  return style === "standard" ? formatStandardBullet(error) : formatCompactBullet(error);
}

/** Whether a message is within its limits. */
export function fits(
  text: string,
  { maxLength, maxTokens, estimateTokens: estimate }: FormatOptions,
): boolean {
  if (text.length > maxLength) return false;
  return maxTokens === undefined || countTokens(text, estimate) <= maxTokens;
}

// The model needs the message even if the host's counter fails.
function countTokens(text: string, estimate: (text: string) => number): number {
  try {
    const tokens = estimate(text);
    return Number.isFinite(tokens) ? tokens : estimateTokens(text);
  } catch {
    return estimateTokens(text);
  }
}

function toLevels(whole: ValidationError, style: MessageStyle): Levels {
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

function degrade(draft: MessageDraft, bullets: readonly Levels[], steps: number): MessageDraft {
  const { errors, hiddenErrors, guidance, undone, repeats, earlier, ...rest } = draft;
  let left = steps;
  const take = (available: number): number => {
    const taken = Math.min(left, available);
    left -= taken;
    return taken;
  };
  const whole = bullets.length - take(bullets.length);
  const valueless = bullets.length - take(bullets.length);
  const guidanceLines = guidance.length - take(guidance.length);
  const firstAttempt = take(earlier.length);
  const shown = bullets.length - take(bullets.length - 1);
  const keepsRepeat = take(1) === 0 && repeats !== undefined;
  const keepsNames = take(1) === 0 || undone === "all";
  const cut = take(CUT_STEPS);
  const kept = bullets.slice(0, shown).map((levels, index) => {
    if (index < whole) return levels.whole;
    return index < valueless ? levels.valueless : cutError(levels.brief, cut);
  });
  return {
    ...rest,
    errors: kept.slice(0, errors.length),
    hiddenErrors: hiddenErrors + Math.max(0, errors.length - shown),
    advisories: kept.slice(errors.length),
    guidance: guidance.slice(0, guidanceLines),
    earlier: earlier.slice(firstAttempt),
    ...(undone !== undefined && { undone: keepsNames ? undone : [] }),
    ...(keepsRepeat && { repeats }),
  };
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
