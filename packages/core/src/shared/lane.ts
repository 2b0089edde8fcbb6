/** The lanes of failures, in the order in which a call meets them. */
export const LANES = ["generation", "validation", "guardrail", "outcome"] as const;

/**
 * What a failure is counted under; each lane has its own attempts, and a failure in one never moves another.
 *
 * `"validation"`: the arguments are invalid. `"guardrail"`: the call is not allowed. `"outcome"`: what the tool did was
 * wrong. `"generation"`: the model produced nothing that can be run.
 */
export type Lane = (typeof LANES)[number];

/** A typed end of a sequence of attempts, as plain JSON data; the names are those of the guardrail recovery plan. */
export interface TypedOutcome {
  readonly status: "error";
  /** The kind of end, such as `guardrail_retry_exhausted`. */
  readonly error_type: string;
  /** One sentence; it ends in the tool's name. */
  readonly error_message: string;
  /** Whether the same call may succeed later. */
  readonly retriable: boolean;
  /** Counts and kinds; never an argument's value. */
  readonly metadata: Readonly<Record<string, unknown>>;
}
