import { isErrorCode, type ErrorCode } from "../error-code.ts";
import type { Severity, ValidationError } from "../validation-error.ts";

const ROOT = "(arguments)";
const CODE = /\((VAL-\d{3})(?: (warning|info))?\): /y;

/** What the first words of a bullet say, in both styles. */
interface BulletHead {
  readonly fieldPath: string;
  readonly errorCode: ErrorCode;
  readonly severity: Severity;
  /** What follows on that line. */
  readonly rest: string;
}

/** Writes where a fault is and which it is, ready for the words that say what: `/path (VAL-001): `. */
export function formatHead({ fieldPath, errorCode, severity }: ValidationError): string {
  const mark = severity === "error" ? "" : ` ${severity}`;
  return `${fieldPath === "" ? ROOT : fieldPath} (${errorCode}${mark}): `;
}

/** Reads what formatHead wrote; a displayed pointer never holds ` (VAL-`, so the first one ends it. */
export function parseHead(line: string): BulletHead | undefined {
  const end = line.indexOf(" (VAL-");
  CODE.lastIndex = end + 1;
  const [head, errorCode, severity] = CODE.exec(line) ?? [];
  if (head === undefined || errorCode === undefined || !isErrorCode(errorCode)) return undefined;
  const place = line.slice(0, end);
  if (place !== ROOT && !place.startsWith("/")) return undefined;
  return {
    fieldPath: place === ROOT ? "" : place,
    errorCode,
    severity: severity === "warning" || severity === "info" ? severity : "error",
    rest: line.slice(end + 1 + head.length),
  };
}
