import type { ValidationError } from "../validation-error.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import type { FormatOptions, MessageStyle } from "./format-options.ts";
import { layOut, type MessageDraft } from "./message-draft.ts";
import { CUT_STEPS, cutError, dropActual, shortenExpected } from "./shorten-error.ts";

/**
 * Lays a draft out so that it fits, dropping as little as possible in a fixed order.
 *
 * First what was sent, then long expectations, guidance and earlier attempts, then bullets from the end. Every
 * step drops one thing more than the one before, so the first that fits is found by halving.
 */
export function fitBudget(draft: MessageDraft, options: FormatOptions): string {
  let text = layOut(draft);
  if (fits(text, options)) return text;
  const bullets = [...draft.errors, ...draft.advisories].map((error) =>
    toLevels(error, draft.style),
  );
  let tooLong = 0;
  let enough = 3 * bullets.length + draft.guidance.length + draft.earlier.length + 1 + CUT_STEPS;
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

/** One error with all its details, without what was sent, and with a short expectation besides. */
interface Levels {
  readonly whole: ValidationError;
  readonly valueless: ValidationError;
  readonly brief: ValidationError;
}

function toLevels(whole: ValidationError, style: MessageStyle): Levels {
  const valueless = dropActual(whole, style);
  return { whole, valueless, brief: shortenExpected(valueless, style) };
}

function degrade(draft: MessageDraft, bullets: readonly Levels[], steps: number): MessageDraft {
  const { errors, hiddenErrors, guidance, repeats, earlier, ...rest } = draft;
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
    ...(keepsRepeat && { repeats }),
  };
}

function fits(
  text: string,
  { maxLength, maxTokens, estimateTokens: estimate }: FormatOptions,
): boolean {
  if (text.length > maxLength) return false;
  return maxTokens === undefined || countTokens(text, estimate) <= maxTokens;
}

// A counter that fails must not keep the message from the model.
function countTokens(text: string, estimate: (text: string) => number): number {
  try {
    const tokens = estimate(text);
    return Number.isFinite(tokens) ? tokens : estimateTokens(text);
  } catch {
    return estimateTokens(text);
  }
}
