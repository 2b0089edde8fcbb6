import type { Lane, Undone } from "../shared/index.ts";
import type { MessageStyle } from "@toolcontract/explain";
import {
  type Bullet,
  CUT_STEPS,
  type Levels,
  countErrors,
  formatBullet,
  shortenBullets,
  toLevels,
  formatMore,
} from "@toolcontract/explain/adapter";
import { type FormatOptions, tokensByBytes } from "./format-options.ts";
import {
  ADVISORIES_HEADING,
  ERRORS_HEADING,
  GUIDANCE_HEADING,
  formatRepeat,
  isOnlyQuoted,
  formatUndone,
} from "./frame.ts";

/** A message before it is laid out; its strings are ready to be shown. */
export interface MessageDraft {
  readonly style: MessageStyle;
  /** The summary line; a note on a call that ran has neither this nor a closing line. */
  readonly header?: string;
  readonly errors: readonly Bullet[];
  /** How many errors there are besides the shown ones. */
  readonly hiddenErrors: number;
  readonly atLeast: boolean;
  readonly advisories: readonly Bullet[];
  readonly guidance: readonly string[];
  /** What was undone. Names may be dropped from it, but never the line: the model must not guess. */
  readonly undone?: Undone | undefined;
  /** The lane of the failure. */
  readonly lane?: Lane;
  readonly repeats?: number | undefined;
  readonly earlier: readonly string[];
  readonly closing?: string;
}

/**
 * Lays a draft out so that it fits, dropping as little as possible in a fixed order.
 *
 * What was sent goes first, then long expectations, guidance, earlier attempts, bullets from the end, and the names of
 * effects. Each step drops one thing more than the one before, so a binary search finds the first that fits.
 */
export function fitBudget(draft: MessageDraft, options: FormatOptions): string {
  let text = layOut(draft);
  if (fitsLimits(text, options)) return text;
  const bullets = [...draft.errors, ...draft.advisories].map((bullet) =>
    toLevels(bullet, draft.style),
  );
  let tooLong = 0;
  let enough = 3 * bullets.length + draft.guidance.length + draft.earlier.length + 2 + CUT_STEPS;
  text = layOut(degrade(draft, bullets, enough));
  while (enough - tooLong > 1) {
    const middle = Math.floor((tooLong + enough) / 2);
    const candidate = layOut(degrade(draft, bullets, middle));
    if (fitsLimits(candidate, options)) {
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
  for (const bullet of errors) lines.push(formatBullet(bullet, style));
  if (hiddenErrors > 0) lines.push(formatMore(hiddenErrors, draft.atLeast));
  if (advisories.length > 0) lines.push(ADVISORIES_HEADING);
  for (const bullet of advisories) lines.push(formatBullet(bullet, style));
  const end: string[] = [];
  if (guidance.length > 0) end.push(GUIDANCE_HEADING);
  for (const line of guidance) end.push(`  ${line}`);
  if (draft.undone !== undefined) end.push(formatUndone(draft.undone));
  if (repeats !== undefined) {
    const isQuoted = errors.some(({ error }) => isOnlyQuoted(error));
    end.push(formatRepeat(repeats, draft.lane ?? "validation", isQuoted));
  }
  end.push(...draft.earlier);
  if (closing !== undefined) end.push(closing);
  if (isStandard && end.length > 0) lines.push("");
  return [...lines, ...end].join("\n");
}

/** Whether a message is within its limits. */
export function fitsLimits(
  text: string,
  { maxLength, maxTokens, estimateTokens: estimate }: FormatOptions,
): boolean {
  if (text.length > maxLength) return false;
  return maxTokens === undefined || tokensOfText(text, estimate) <= maxTokens;
}

// The model needs the message even if the host's counter fails.
function tokensOfText(text: string, estimate: (text: string) => number): number {
  try {
    const tokens = estimate(text);
    return Number.isFinite(tokens) ? tokens : tokensByBytes(text);
  } catch {
    return tokensByBytes(text);
  }
}

function degrade(draft: MessageDraft, bullets: readonly Levels[], steps: number): MessageDraft {
  const { errors, hiddenErrors, guidance, undone, repeats, earlier, ...rest } = draft;
  let left = steps;
  const take = (available: number): number => {
    const taken = Math.min(left, available);
    left -= taken;
    return taken;
  };
  const valueless = take(bullets.length);
  const brief = take(bullets.length);
  const guidanceLines = guidance.length - take(guidance.length);
  const firstAttempt = take(earlier.length);
  const hidden = take(bullets.length - 1);
  const keepsRepeat = take(1) === 0;
  const keepsNames = take(1) === 0 || undone === "all";
  const cut = take(CUT_STEPS);
  const kept = shortenBullets(bullets, { valueless, brief, hidden, cut });
  const shown = kept.slice(0, errors.length);
  return {
    ...rest,
    errors: shown,
    hiddenErrors: hiddenErrors + countErrors(errors) - countErrors(shown),
    advisories: kept.slice(errors.length),
    guidance: guidance.slice(0, guidanceLines),
    earlier: earlier.slice(firstAttempt),
    undone: undone === undefined || keepsNames ? undone : [],
    repeats: keepsRepeat ? repeats : undefined,
  };
}
