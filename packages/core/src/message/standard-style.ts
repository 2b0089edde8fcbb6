import type { ValidationError } from "../validation-error.ts";
import { formatHead, parseHead } from "./bullet-head.ts";

/** What begins a bullet of the standard style. */
export const STANDARD_BULLET = "• ";

/** Writes a displayed error as a bullet with labelled lines under it. */
export function formatStandardBullet(error: ValidationError): string {
  const { message, variant, expectedValue, actualValue, hint } = error;
  return [
    STANDARD_BULLET + formatHead(error) + message,
    variant && `  As: ${variant}`,
    expectedValue && `  Expected: ${expectedValue}`,
    actualValue && `  Actual: ${actualValue}`,
    hint && `  Hint: ${hint}`,
  ]
    .filter(Boolean)
    .join("\n");
}

/** Reads the lines of a bullet, without its mark, that formatStandardBullet wrote. */
export function parseStandardBullet(lines: readonly string[]): ValidationError | undefined {
  const [first = "", ...labelled] = lines;
  const head = parseHead(first);
  if (head === undefined || head.rest === "") return undefined;
  const { rest: message, ...place } = head;
  const next = (pattern: RegExp): string | undefined => {
    const text = pattern.exec(labelled[0] ?? "")?.[1];
    if (text !== undefined) labelled.shift();
    return text;
  };
  const variant = next(/^ {2}As: (.+)$/);
  const expectedValue = next(/^ {2}Expected: (.+)$/);
  const actualValue = next(/^ {2}Actual: (.+)$/);
  const hint = next(/^ {2}Hint: (.+)$/);
  if (labelled.length > 0) return undefined;
  return {
    ...place,
    message,
    ...(expectedValue !== undefined && { expectedValue }),
    ...(actualValue !== undefined && { actualValue }),
    ...(hint !== undefined && { hint }),
    ...(variant !== undefined && { variant }),
  };
}
