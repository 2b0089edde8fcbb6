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
