import type { ValidationError } from "../validation-error.ts";
import { formatCompactBullet } from "./compact-style.ts";
import type { MessageStyle } from "./format-options.ts";
import {
  ADVISORIES_HEADING,
  ERRORS_HEADING,
  formatMore,
  formatRepeat,
  GUIDANCE_HEADING,
} from "./message-frame.ts";
import { formatStandardBullet } from "./standard-style.ts";

/** A message before it is laid out: every text in it is displayed as it is. */
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
  readonly repeats?: number;
  readonly earlier: readonly string[];
  readonly closing?: string;
}

/** Lays a draft out, its sections always in the same order. */
export function layOut(draft: MessageDraft): string {
  const { style, header, errors, hiddenErrors, atLeast, advisories, guidance, repeats } = draft;
  const isStandard = style === "standard";
  const end = [
    ...(guidance.length > 0 ? [GUIDANCE_HEADING] : []),
    ...guidance.map((line) => `  ${line}`),
    ...(repeats === undefined ? [] : [formatRepeat(repeats)]),
    ...draft.earlier,
    ...(draft.closing === undefined ? [] : [draft.closing]),
  ];
  return [
    ...(header === undefined ? [] : [header]),
    ...(isStandard && header !== undefined ? ["", ERRORS_HEADING] : []),
    ...errors.map((error) => formatBullet(error, style)),
    ...(hiddenErrors > 0 ? [formatMore(hiddenErrors, atLeast)] : []),
    ...(advisories.length > 0 ? [ADVISORIES_HEADING] : []),
    ...advisories.map((advisory) => formatBullet(advisory, style)),
    ...(isStandard && end.length > 0 ? [""] : []),
    ...end,
  ].join("\n");
}

/** Writes one displayed error in a style. */
export function formatBullet(error: ValidationError, style: MessageStyle): string {
  return style === "standard" ? formatStandardBullet(error) : formatCompactBullet(error);
}
