import type { ErrorCode } from "./error-code.ts";

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
