import { setLogPath } from "./log-path.ts";
import { parsePointer } from "./parse-pointer.ts";
import type { Sanitizer } from "../sanitize/sanitizer.ts";
import type { ValidationError } from "../validation-error.ts";

const MAX_TEXT = 1_000;
const TEXTS = [
  "errorCode",
  "message",
  "severity",
  "expectedValue",
  "actualValue",
  "hint",
  "variant",
] as const;

/** Cleans an error that was built elsewhere: its texts are masked, cut and escaped once more, and nothing else stays. */
export function sanitizeForeign(
  error: ValidationError,
  sanitizer: Sanitizer,
  declares: (name: string) => boolean,
): ValidationError {
  const texts = TEXTS.flatMap((name) => {
    const text: unknown = error[name];
    if (typeof text !== "string") return [];
    const paths = name === "message" || name === "actualValue";
    return [[name, sanitizer.text(text, { maxLength: MAX_TEXT, paths })]];
  });
  const fieldPath: unknown = error.fieldPath;
  const path = typeof fieldPath === "string" ? parsePointer(fieldPath) : [];
  const { shown, logged } = sanitizer.pointer(path, declares);
  const clean = { ...Object.fromEntries(texts), fieldPath: shown } as ValidationError;
  setLogPath(clean, logged);
  return clean;
}
