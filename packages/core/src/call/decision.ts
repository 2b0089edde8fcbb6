import type { Repair } from "../arguments/index.ts";
import type { ToolCall, ValidationError } from "../shared/index.ts";
import { type Escalation, writeReason } from "../message/index.ts";
import type { ToolResult } from "./result.ts";

/** The result of checking a call's arguments; checking counts and runs nothing. */
export type CheckResult = ValidArguments | InvalidArguments;

/** The tool accepts the arguments. */
export interface ValidArguments {
  readonly status: "valid";
  /** The arguments as sent, parsed and repaired: for hosts that validate again. */
  readonly input: unknown;
  /** The validator's output, with defaults and transforms, for the tool. Equal to `input` for JSON Schema. */
  readonly output: unknown;
  /** Warnings and remarks, which do not block the call. */
  readonly advisories: readonly ValidationError[];
  /** What was changed to parse the text. */
  readonly repairs: readonly Repair[];
}

/** The tool does not accept the arguments. */
export interface InvalidArguments {
  readonly status: "invalid";
  /** The errors in the order shown, at most `format.maxErrors`. */
  readonly errors: readonly ValidationError[];
  /** How many errors there are. */
  readonly totalErrors: number;
  /** True if counting stopped early, so there may be more than `totalErrors`. */
  readonly atLeast: boolean;
  /** Warnings and remarks besides the errors. */
  readonly advisories: readonly ValidationError[];
  readonly repairs: readonly Repair[];
}

/** What a tool's function knows about its call. */
export interface ExecuteContext {
  readonly call: ToolCall;
  readonly signal?: AbortSignal;
}

/** Runs a tool with its validator's output. */
export type Execute<TResult = unknown> = (args: never, context: ExecuteContext) => TResult;

/** The contract's decision on a call. */
export type Admission = Admitted | Rejected | Blocked;

/** The call is valid and may run, now or later. */
export interface Admitted {
  readonly status: "admitted";
  /** The arguments as sent, parsed and repaired. */
  readonly input: unknown;
  /** The validator's output, which `run` passes to the tool. */
  readonly output: unknown;
  /** Warnings and remarks, which do not block the call. */
  readonly advisories: readonly ValidationError[];
  readonly repairs: readonly Repair[];
  /**
   * Runs the tool and hands back what it returned, untouched: a promise, a stream, an async iterable.
   *
   * What the tool throws comes through as the same object; an aborted signal throws its reason.
   */
  run<TResult>(execute: Execute<TResult>): TResult;
}

/** The call is invalid and goes back to the model; it never runs. */
export interface Rejected {
  readonly status: "rejected";
  readonly result: ToolResult;
  readonly errors: readonly ValidationError[];
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** How many attempts the tool has. */
  readonly maxAttempts: number;
}

/** The call is invalid and the tool's attempts are spent. */
export interface Blocked {
  readonly status: "blocked";
  /** True if the attempts were spent before this call's turn, so the escalation was already raised. */
  readonly settled: boolean;
  readonly result: ToolResult;
  readonly escalation: Escalation;
  readonly errors: readonly ValidationError[];
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** How many attempts the tool has. */
  readonly maxAttempts: number;
}

/** The call was valid and has run. */
export interface Executed<TOutput = unknown> {
  readonly status: "executed";
  readonly result: ToolResult;
  /** What the tool returned. */
  readonly output: TOutput;
}

/** The outcome of a call that the contract handled from end to end. */
export type Handled<TOutput = unknown> = Executed<TOutput> | Rejected | Blocked;

/** An invalid check result with one error of the whole arguments, for a fault that the host found. */
export function refusedWith(
  error: Pick<ValidationError, "errorCode" | "message" | "expectedValue">,
): InvalidArguments {
  const whole: ValidationError = { fieldPath: "", severity: "error", ...error };
  const rest = { totalErrors: 1, atLeast: false, advisories: [], repairs: [] };
  return { status: "invalid", errors: [whole], ...rest };
}

/** An invalid check result for a call of a blocked tool whose arguments are valid. */
export function blockedTool(): InvalidArguments {
  return refusedWith({ errorCode: "VAL-016", message: writeReason({ kind: "blocked" }) });
}
