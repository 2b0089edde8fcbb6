import { setLogPath } from "./log-path.ts";
import type { Sanitizer } from "./sanitize/sanitizer.ts";
import type { ValidationError } from "./validation-error.ts";

const MAX_TEXT = 1_000;

/** Cleans an error that was built elsewhere: its texts are masked, cut and escaped once more. */
export function sanitizeForeign(error: ValidationError, sanitizer: Sanitizer): ValidationError {
  const clean = Object.fromEntries(
    Object.entries(error).map(([name, value]: [string, unknown]) => {
      const paths = name === "message" || name === "actualValue";
      return [
        name,
        typeof value === "string" ? sanitizer.text(value, { maxLength: MAX_TEXT, paths }) : value,
      ];
    }),
  ) as unknown as ValidationError;
  setLogPath(clean, starred(clean.fieldPath));
  return clean;
}

/** Of a foreign pointer only the array indexes are sure to hold no data of the call. */
function starred(pointer: unknown): string {
  return String(pointer)
    .split("/")
    .map((segment) => (/^\d{0,9}$/.test(segment) ? segment : "*"))
    .join("/");
}
