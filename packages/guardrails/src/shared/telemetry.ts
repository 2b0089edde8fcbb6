import type { TypedOutcome } from "@toolcontract/core/stage";

/** Where an attempt is: `rolled_back` is the end of a failed one, `executed` with `committed` of one that succeeded. */
export type AttemptStage = "generated" | "validated" | "executed" | "rolled_back";

/** The stage in which an attempt failed. */
export type FailureStage = "validation" | "execution" | "outcome_policy";

/** A failed attempt, for diagnosis; it never reaches a model's user. The names are those of the recovery plan. */
export interface AttemptFailure {
  /** The attempt that failed. */
  readonly attempt_id: string;
  /** Where it failed. */
  readonly stage: FailureStage;
  /** The guardrail's name, the outcome's type, or the class of what was thrown. */
  readonly error_class: string;
  /** At most 300 characters, without secrets. */
  readonly error_message: string;
  /** ISO 8601, by the `clock`. */
  readonly timestamp: string;
  /** The provider's id of the call. */
  readonly call_id: string;
}

/** One stage of one attempt: the fields of the recovery plan, and which call it was. */
export interface AttemptEvent {
  /** Names the attempt: the id of its call and a number, such as `call_1#2`. */
  readonly attempt_id: string;
  /** The stage that the attempt has reached. */
  readonly attempt_stage: AttemptStage;
  /** The guardrail that failed; null if none did. */
  readonly validation_failure_type: string | null;
  /** True if everything that the attempt did was undone. */
  readonly rollback_applied: boolean;
  /** True if the model was asked for another call. */
  readonly retry_feedback_injected: boolean;
  /** How many retries the guardrail lane has granted. */
  readonly guardrail_recovery_attempts: number;
  /** True if this attempt spent the budget of the guardrail lane. */
  readonly guardrail_retry_exhausted: boolean;
  /** How many retries the outcome lane has granted. */
  readonly outcome_repair_attempts: number;
  /** True if the failure entered the outcome lane. */
  readonly outcome_repair_triggered: boolean;
  /** True if this attempt spent the budget of the outcome lane. */
  readonly outcome_repair_retry_exhausted: boolean;
  /** The stage of the last entry of `attempt_failures`. */
  readonly latest_failure_stage: FailureStage | null;
  /** The class of the last entry of `attempt_failures`. */
  readonly latest_failure_class: string | null;
  /** The message of the last entry of `attempt_failures`. */
  readonly latest_failure_message: string | null;
  /** The failed attempts of the sequence, oldest first; the list only grows, up to the latest hundred. */
  readonly attempt_failures: readonly AttemptFailure[];
  /** Whether the guardrails let the call pass; null until that is known. */
  readonly validation_result: "pass" | "failed" | null;
  /** Whether another call may be right, if a guardrail failed; null if none did. */
  readonly guardrail_class: "recoverable_guardrail" | "terminal_guardrail" | null;
  /** The tool's name. */
  readonly tool: string;
  /** The provider's id of the call. */
  readonly call_id: string;
  /** True if the attempt's state was committed. */
  readonly committed: boolean;
  /** The effects that could not be undone; absent if all were. */
  readonly compensation_failures?: readonly string[];
  /** Milliseconds after which the same call may be tried again, if the failure said so (`Retry-After`). */
  readonly retry_after_ms?: number;
  /** Milliseconds that isolating the state took; absent without a store. */
  readonly isolation_ms?: number;
  /** How the sequence ended, if it ended in a typed outcome. */
  readonly outcome?: TypedOutcome;
}

/** How a tool fares under its guardrails. */
export interface ToolHealth {
  /** Attempts. */
  readonly calls: number;
  /** Sequences of attempts that ended, well or not. */
  readonly sequences: number;
  /** Sequences that succeeded after a failed attempt. */
  readonly repaired: number;
  /** Attempts that were rolled back. */
  readonly rollbacks: number;
  /** Sequences that spent the budget of the guardrail lane. */
  readonly guardrail_retry_exhausted: number;
  /** Sequences that spent the budget of the outcome lane. */
  readonly outcome_repair_retry_exhausted: number;
  /** Decays by half each hour: 1 for each exhausted sequence, 0.25 for each repaired one. */
  readonly pressure: number;
}

/** The pressure of a tool has reached 3. */
export interface ToolPressureEvent extends ToolHealth {
  /** The tool's name. */
  readonly tool: string;
}

declare module "@toolcontract/core" {
  interface ContractEventMap {
    /** A stage of an attempt under guardrails. */
    attempt: AttemptEvent;
    /** A tool fails so often that its guardrails, its description or its code should be looked at. */
    "tool-pressure": ToolPressureEvent;
  }
}
