import { summarizeError } from "../message/escalation-summary.ts";
import { oneLine } from "../message/one-line.ts";
import type { ValidationError } from "../validation-error.ts";
import type { AttemptError } from "./attempt-record.ts";

const MAX_ERRORS = 5;
const MAX_SUMMARY = 120;
const MAX_POINTER = 120;

/** Keeps of a rejection's errors what an attempt's record may hold: where, which and a short summary. */
export function toAttemptErrors(errors: readonly ValidationError[]): readonly AttemptError[] {
  const blocking = errors.filter((error) => error.severity === "error").slice(0, MAX_ERRORS);
  return shortenAttemptErrors(
    blocking.map((error) => ({
      errorCode: error.errorCode,
      fieldPath: error.fieldPath,
      summary: summarizeError(error),
    })),
  );
}

/** Bounds the errors of one attempt in number and length, each text on one line. */
export function shortenAttemptErrors(errors: readonly AttemptError[]): readonly AttemptError[] {
  return errors.slice(0, MAX_ERRORS).map(({ errorCode, fieldPath, summary }) => ({
    errorCode,
    fieldPath: oneLine(fieldPath, MAX_POINTER),
    summary: oneLine(summary, MAX_SUMMARY),
  }));
}
