/** What each stable error code means; codes never change meaning. */
export const ERROR_CODES = {
  "VAL-001": "Required field missing",
  "VAL-002": "Type mismatch",
  "VAL-003": "Constraint violation",
  "VAL-004": "Invalid JSON syntax",
  "VAL-005": "Unknown field",
  "VAL-006": "Array length violation",
  "VAL-007": "Pattern mismatch",
  "VAL-008": "Invalid enum value",
  "VAL-009": "String length violation",
  "VAL-010": "Format violation",
  "VAL-011": "Arguments cut off",
  "VAL-012": "Unknown tool",
  "VAL-013": "No variant matches",
  "VAL-014": "Fields conflict or depend on each other",
  "VAL-015": "Duplicate items",
  "VAL-016": "Rule failed",
} as const;

/** A stable error code of the form `VAL-XXX`. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** Tells whether a text is one of the contract's error codes. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CODES, text);
}

/** How much an error matters: `"error"` blocks the call, `"warning"` and `"info"` ride along. */
export type Severity = "error" | "warning" | "info";

/** The severities, most severe first. */
export const SEVERITIES: readonly Severity[] = ["error", "warning", "info"];

/**
 * One thing wrong with a tool call, as plain data that is safe to show and to store.
 *
 * Every text in it is already sanitised: secrets masked, paths relative, values cut and escaped.
 */
export interface ValidationError {
  /** Which kind of fault this is. */
  readonly errorCode: ErrorCode;
  /** JSON Pointer (RFC 6901) to the faulty place; the empty string is the arguments as a whole. */
  readonly fieldPath: string;
  /** One short sentence that says what is wrong. */
  readonly message: string;
  /** Whether the fault blocks the call. */
  readonly severity: Severity;
  /** What the tool accepts there, in literal words. */
  readonly expectedValue?: string;
  /** What was sent there: masked, cut and JSON-quoted. */
  readonly actualValue?: string;
  /** The literal fix, where one is nearly certain. */
  readonly hint?: string;
  /** The variant of a union against which the arguments were judged, named once per union. */
  readonly variant?: string;
}
