import type { TerminalReason } from "./guardrail.ts";

/** The classes of failures. */
export const FAILURE_CLASSES = ["extrinsic", "adaptive", "intrinsic"] as const;

/**
 * Who could repair a failure: nobody here (`extrinsic`, the world failed), the model with another call (`adaptive`), or
 * only the author of the tool's code (`intrinsic`).
 */
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** How a failure is treated. */
export interface Classification {
  readonly class: FailureClass;
  /** A stable, low-cardinality name, such as `http_404`. */
  readonly error_type: string;
  /** Whether the model may repair it by another call. */
  readonly retriable: boolean;
  /** Closes the tool: no call of it can succeed without a change from outside. */
  readonly terminal?: TerminalReason;
  /** When the runtime may try the same call again, in milliseconds, if the failure said so (`Retry-After`). */
  readonly retryAfterMs?: number;
}

/** What is known about a failed run besides its error. */
export interface FailureContext {
  /** The tool's name. */
  readonly tool: string;
  /** The arguments that it got. */
  readonly args: unknown;
  /** True if the tool threw, false if it returned an error. */
  readonly thrown: boolean;
}

/** Overrides the classification of some failures; returns nothing for all others. */
export type Classify = (error: unknown, context: FailureContext) => Classification | undefined;
