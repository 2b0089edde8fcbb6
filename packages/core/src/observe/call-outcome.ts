import type { ErrorCode } from "../error-code.ts";

/** What a contract decided about a call. */
type Outcome = "admitted" | "rejected" | "blocked";

/** One decided call, as metrics and telemetry count it. */
export interface CallOutcome {
  /** The declared name, or `(unknown)`. */
  readonly toolName: string;
  readonly toolCallId: string;
  readonly outcome: Outcome;
  /** The codes of the errors, in the order of the message. */
  readonly codes: readonly ErrorCode[];
  /** Whether its JSON text had to be repaired. */
  readonly repaired: boolean;
}
