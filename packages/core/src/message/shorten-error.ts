import { ERROR_CODES } from "../error-code.ts";
import type { ValidationError } from "../validation-error.ts";
import type { MessageStyle } from "./format-options.ts";
import { formatBullet } from "./message-draft.ts";
import { clip } from "./one-line.ts";
import { splitList } from "./quoted-text.ts";

const LISTED = 3;
const MAX_EXPECTED = 160;
const LIST = /^(one of |only |object with |array of one of )(.+?)(?: and (\d{1,9}) more)?$/;

/** How far the texts of the last bullet are cut, most gently first; the end keeps place and code alone. */
const CUTS = [240, 120, 60, 30] as const;
/** How many steps cutError knows. */
export const CUT_STEPS: number = CUTS.length + 1;

/** Leaves out what was sent, where that makes the bullet shorter. */
export function dropActual(error: ValidationError, style: MessageStyle): ValidationError {
  const { actualValue: _, ...rest } = error;
  return shorter(error, rest, style);
}

/** Shows only the first values of a long list and how many follow, and the beginning of any other long text. */
export function shortenExpected(error: ValidationError, style: MessageStyle): ValidationError {
  if (error.expectedValue === undefined) return error;
  const expectedValue = clip(shortenList(error.expectedValue), MAX_EXPECTED);
  return shorter(error, { ...error, expectedValue }, style);
}

/** Cuts every text of the only bullet left, step by step. */
export function cutError(error: ValidationError, step: number): ValidationError {
  const { errorCode, severity, fieldPath, message, expectedValue, hint } = error;
  if (step === 0) return error;
  const max = CUTS[step - 1];
  if (max === undefined) {
    return { errorCode, severity, fieldPath: clip(fieldPath, 8), message: ERROR_CODES[errorCode] };
  }
  return {
    errorCode,
    severity,
    fieldPath: clip(fieldPath, max),
    message: clip(message, max),
    ...(expectedValue !== undefined && { expectedValue: clip(expectedValue, max) }),
    ...(hint !== undefined && { hint: clip(hint, max) }),
  };
}

function shortenList(expected: string): string {
  const [, lead = "", list = "", hidden = "0"] = LIST.exec(expected) ?? [];
  const values = splitList(list);
  if (values.length <= LISTED + 1) return expected;
  const more = values.length - LISTED + Number(hidden);
  return `${lead}${values.slice(0, LISTED).join(", ")} and ${more} more`;
}

function shorter(a: ValidationError, b: ValidationError, style: MessageStyle): ValidationError {
  return formatBullet(b, style).length < formatBullet(a, style).length ? b : a;
}
