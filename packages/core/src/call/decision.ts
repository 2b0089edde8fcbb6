import type { Repair } from "../arguments/index.ts";
import type { ToolCall, ValidationError } from "../shared/index.ts";
import type { Escalation } from "../message/index.ts";
import type { ToolResult } from "./result.ts";

/** What checking a call's arguments found; it counts nothing and runs nothing. */
export type CheckResult = ValidArguments | InvalidArguments;

/** The tool accepts the arguments. */
export interface ValidArguments {
  readonly status: "valid";
  /** The arguments as sent, parsed and repaired: for hosts that validate again. */
  readonly input: unknown;
  /** The judge's value, with defaults and transforms: for the tool. Equal to `input` for JSON Schema. */
  readonly output: unknown;
  /** Warnings and remarks; they block nothing. */
  readonly advisories: readonly ValidationError[];
  /** What was changed to read the text. */
  readonly repairs: readonly Repair[];
}

/** The tool does not accept the arguments. */
export interface InvalidArguments {
  readonly status: "invalid";
  /** The errors in the order of telling, at most `format.maxErrors` of them. */
  readonly errors: readonly ValidationError[];
  /** How many errors there are. */
  readonly totalErrors: number;
  /** True where counting stopped early, so that there may be more than `totalErrors`. */
  readonly atLeast: boolean;
  /** Warnings and remarks beside the errors. */
  readonly advisories: readonly ValidationError[];
  readonly repairs: readonly Repair[];
}

/** What a tool's function may know of the call that it serves. */
export interface ExecuteContext {
  readonly call: ToolCall;
  readonly signal?: AbortSignal;
}

/** Runs a tool with the arguments that its judge gave back. */
export type Execute<TResult = unknown> = (args: never, context: ExecuteContext) => TResult;

/** The contract's decision on a call. */
export type Admission = Admitted | Rejected | Blocked;

/** The call is valid and may run, now or later. */
export interface Admitted {
  readonly status: "admitted";
  /** The arguments as sent, parsed and repaired. */
  readonly input: unknown;
  /** The arguments as the judge gave them back, which `run` passes to the tool. */
  readonly output: unknown;
  /** Warnings and remarks; they block nothing. */
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

/** The call is invalid, and so were all attempts that the tool had. */
export interface Blocked {
  readonly status: "blocked";
  /** True for a later call of a tool whose attempts were spent before its turn: that was escalated already. */
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

/** What became of a call that the contract handled from end to end. */
export type Handled<TOutput = unknown> = Executed<TOutput> | Rejected | Blocked;

/** A result of checking that holds one error on the arguments as a whole, found by the host itself. */
export function refusedWith(
  error: Pick<ValidationError, "errorCode" | "message" | "expectedValue">,
): InvalidArguments {
  const whole: ValidationError = { fieldPath: "", severity: "error", ...error };
  const rest = { totalErrors: 1, atLeast: false, advisories: [], repairs: [] };
  return { status: "invalid", errors: [whole], ...rest };
}
