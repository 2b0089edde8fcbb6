import type { ErrorCode } from "./error-codes.ts";

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
