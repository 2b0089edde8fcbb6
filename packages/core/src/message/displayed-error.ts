import { ERROR_CODES, isErrorCode } from "../error-code.ts";
import { SEVERITIES, type ValidationError } from "../validation-error.ts";
import { deriveMessage } from "./derive-message.ts";
import type { FormatOptions } from "./format-options.ts";
import { oneLine } from "./one-line.ts";
import { readLine, readMember } from "./read-foreign.ts";

const MAX_POINTER = 240;
const MAX_VARIANT = 120;

/**
 * Makes of anything the error that a message displays: every member of its type and on one line.
 *
 * Never throws: what cannot be read is left out, and an unreadable error is a failed rule.
 */
export function toDisplayedError(error: unknown, options: FormatOptions): ValidationError {
  const code = readMember(error, "errorCode");
  const errorCode = typeof code === "string" && isErrorCode(code) ? code : "VAL-016";
  const severity = readMember(error, "severity");
  const read = (name: keyof ValidationError, max: number): string | undefined =>
    readLine(readMember(error, name), max);
  // Long enough to count the values of a list that is shortened to fit.
  const expectedValue = read("expectedValue", 4 * options.maxLength);
  // A sanitised preview is shorter; one that was not must not fill the message.
  const actualValue = read("actualValue", 2 * options.maxValuePreview + 100);
  const hint = read("hint", options.maxLength);
  const variant = read("variant", MAX_VARIANT);
  const fieldPath = toPointer(readMember(error, "fieldPath"));
  return {
    errorCode,
    fieldPath,
    message:
      read("message", options.maxLength) ??
      deriveMessage({ errorCode, fieldPath, expectedValue, actualValue }) ??
      ERROR_CODES[errorCode],
    severity: SEVERITIES.find((known) => known === severity) ?? "error",
    ...(expectedValue !== undefined && { expectedValue }),
    ...(actualValue !== undefined && { actualValue }),
    ...(hint !== undefined && { hint }),
    ...(variant !== undefined && { variant }),
  };
}

// A key that imitates the end of a bullet's head must not move that end.
function toPointer(value: unknown): string {
  if (typeof value !== "string" || value === "") return "";
  const pointer = oneLine(value.startsWith("/") ? value : `/${value}`, MAX_POINTER);
  return pointer.replaceAll(" (VAL-", " \\u0028VAL-");
}
