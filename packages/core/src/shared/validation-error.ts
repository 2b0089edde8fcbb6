/** The version of the message format and of every machine-readable result. */
export const FORMAT_VERSION = "1.0";

/** The stable error codes and what they mean. */
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

/** Checks whether a string is one of the error codes. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CODES, text);
}

/** `"error"` rejects the call; `"warning"` and `"info"` only accompany it. */
export type Severity = "error" | "warning" | "info";

/** The severities, most severe first. */
export const SEVERITIES: readonly Severity[] = ["error", "warning", "info"];

/**
 * One fault of a tool call, as plain data that is safe to show and to store.
 *
 * Every string in it is sanitized: secrets masked, paths relative, values truncated and escaped.
 */
export interface ValidationError {
  /** The kind of fault. */
  readonly errorCode: ErrorCode;
  /** JSON Pointer (RFC 6901) to the faulty value; the empty string is the arguments as a whole. */
  readonly fieldPath: string;
  /** One short sentence about what is wrong. */
  readonly message: string;
  /** Whether the fault rejects the call. */
  readonly severity: Severity;
  /** What the tool accepts there. */
  readonly expectedValue?: string;
  /** What was sent there: masked, truncated and JSON-quoted. */
  readonly actualValue?: string;
  /** The fix, if it is nearly certain. */
  readonly hint?: string;
  /** The union variant that the arguments were validated against; named once per union. */
  readonly variant?: string;
}
