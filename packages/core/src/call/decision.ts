import type { ValidationError } from "@toolcontract/explain";
import { type Repair, isMarked, writeReason } from "@toolcontract/explain/adapter";
import type {
  AskRequest,
  CodeCounts,
  Execute,
  Lane,
  StageRefusal,
  TypedOutcome,
} from "../shared/index.ts";
import type { Escalation } from "../message/index.ts";
import type { ToolResult, WireOutput } from "./result.ts";

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

/** The tool does not accept the arguments, or a stage does not allow the call. */
export interface InvalidArguments {
  readonly status: "invalid";
  /** What the failure is counted under; validation if absent. */
  readonly lane?: Lane;
  /** The stage's refusal, if it was a stage that refused. */
  readonly refusal?: Pick<
    StageRefusal,
    "action" | "request" | "undone" | "outcomeOf" | "feedbackOf" | "onCounted"
  > & {
    /** What the arguments are if a person is asked about the call: nothing is wrong with them. */
    readonly held?: ValidArguments;
  };
  /** The errors in the order shown, in at most `format.maxErrors` bullets: those that read alike share one. */
  readonly errors: readonly ValidationError[];
  /** How many errors there are. */
  readonly totalErrors: number;
  /** True if counting stopped early, so there may be more than `totalErrors`. */
  readonly atLeast: boolean;
  /** How many errors of each code are not in `errors`. */
  readonly hidden?: CodeCounts;
  /** Warnings and remarks besides the errors. */
  readonly advisories: readonly ValidationError[];
  readonly repairs: readonly Repair[];
}

/** The contract's decision on a call. */
export type Admission = Admitted | Refused;

/** The call did not run, or what it did was refused. */
export type Refused = Rejected | Asked | Blocked;

/** The call is valid and may run, now or later. */
export interface Admitted {
  readonly status: "admitted";
  /** The number of this attempt, from 1: more than one after failed ones. */
  readonly attempt: number;
  /** The arguments as sent, parsed and repaired. */
  readonly input: unknown;
  /** The validator's output, which `run` passes to the tool. */
  readonly output: unknown;
  /** Warnings and remarks, which do not block the call. */
  readonly advisories: readonly ValidationError[];
  readonly repairs: readonly Repair[];
  /**
   * True if the call has run before and comes again, such as in a node that is restarted: `run` and `settle` run nothing and answer with
   * what came of it.
   */
  readonly hasRun: boolean;
  /** In mode `"observe"`: what the contract would have answered. Nothing of it is for the model. */
  readonly observed?: Refused;
  /**
   * Runs the tool and hands back what it returned, untouched: a promise, a stream, an async iterable.
   *
   * What the tool throws comes through as the same object; an aborted signal throws its reason.
   *
   * @remarks With a stage (`guardrails`) it returns a promise of the tool's value. If the stage refuses the call, the
   * promise rejects with a `CallRefusedError`, and if it says that the tool failed, with a `CallFailedError`: the
   * message of both is what the model must read. In mode `"observe"`, arguments that cannot be read are passed as they were sent.
   */
  run<TResult>(execute: Execute<TResult>): TResult;
  /**
   * Runs the tool and answers as `handle` does: executed, or refused by a stage before or after the tool ran.
   *
   * @param read - Reads what the model gets from what the tool returned; by default a string is taken as it is, an MCP
   * result by its text parts, and anything else as JSON.
   * @param runId - The run, for hosts that learn it only as the call runs: other processes then know the call by its run, its id and its
   * arguments.
   */
  settle<TResult>(
    execute: Execute<TResult>,
    read?: (output: Awaited<TResult>) => WireOutput,
    runId?: string,
  ): Promise<Handled<Awaited<TResult>>>;
  /**
   * Takes the admission back, for hosts that validate again: a framework that refuses the call by a check that the contract did not
   * see, such as a zod `.refine`. The call counts as an attempt with invalid arguments, and the answer says what was wrong.
   *
   * @param thrown - What the host's check threw. The `issues` of zod, valibot and arktype are read; of any other error the first
   * line is shown. If it says nothing, pass `undefined`.
   */
  refusedByHost(thrown: unknown): Promise<Refused>;
  /** The note on the call's advisories for the model; empty unless `reportAdvisories` is on. */
  note(): string;
}

/** The call goes back to the model: it is invalid and never ran, or a stage refused it. */
export interface Rejected {
  readonly status: "rejected";
  /** What the attempt is counted under; absent for a call too many in its turn or for which the host lacks something: neither is an attempt. */
  readonly lane?: Lane;
  readonly result: ToolResult;
  readonly errors: readonly ValidationError[];
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** How many attempts the tool has. */
  readonly maxAttempts: number;
}

/** A stage asks a person first: the call has not run, and counts as no attempt. */
export interface Asked {
  readonly status: "ask";
  /** Nothing is counted. */
  readonly lane?: never;
  /** What the model reads. */
  readonly result: ToolResult;
  /** What the person is asked. */
  readonly request: AskRequest;
  /** Empty: nothing is wrong. */
  readonly errors: readonly ValidationError[];
  /** 0: it counts as no attempt. */
  readonly attempt: number;
  /** How many attempts the tool has. */
  readonly maxAttempts: number;
}

/** The call failed and the tool's attempts in its lane are spent. */
export interface Blocked {
  readonly status: "blocked";
  /** What the attempt is counted under. */
  readonly lane: Lane;
  /** How the sequence of attempts ended, if its lane ends in a typed outcome. */
  readonly outcome?: TypedOutcome;
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
  /** The number of the attempt that succeeded, from 1. */
  readonly attempt: number;
  readonly result: ToolResult;
  /** What the tool returned. */
  readonly output: TOutput;
  /** The tool's failure, if a stage reported one with a message: what the model reads instead of `output`. */
  readonly failure?: CallFailedError;
}

/** The call was valid, and its tool threw. */
export interface Failed {
  readonly status: "failed";
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** What was thrown, as the same object. */
  readonly error: unknown;
  /** What the model reads: one line, without secrets, stack or cause. */
  readonly result: ToolResult;
}

/** The outcome of a call that the contract handled from end to end. */
export type Handled<TOutput = unknown> = Executed<TOutput> | Refused;

/** The outcome of one call of a turn: a tool that throws is answered, so that its siblings are too. */
export type HandledInTurn<TOutput = unknown> = Handled<TOutput> | Failed;

/** An invalid check result with one error of the whole arguments, for a fault that the host found. */
export function refusedWith(
  error: Pick<ValidationError, "errorCode" | "message" | "expectedValue">,
): InvalidArguments {
  return invalidBy([{ fieldPath: "", severity: "error", ...error }]);
}

/** An invalid check result with nothing but these errors. */
export function invalidBy(errors: readonly ValidationError[]): InvalidArguments {
  const rest = { totalErrors: errors.length, atLeast: false, advisories: [], repairs: [] };
  return { status: "invalid", errors, ...rest };
}

/** An invalid check result for a call of a blocked tool whose arguments are valid. */
export function blockedTool(): InvalidArguments {
  return refusedWith({ errorCode: "VAL-016", message: writeReason({ kind: "blocked" }) });
}

const REFUSED = Symbol.for("toolcontract.refused");

/**
 * Thrown by an admission's `run` if a stage refuses the call; its message is what the model must read.
 *
 * @example
 * ```ts
 * await admitted.run(book).catch((error: unknown) => {
 *   if (CallRefusedError.isInstance(error)) console.log(error.message); // what the model must read
 * });
 * ```
 */
export class CallRefusedError extends Error {
  override readonly name: string = "CallRefusedError";
  /** The contract's answer to the call. */
  readonly answer: Refused;

  constructor(answer: Refused) {
    super(answer.result.content);
    this.answer = answer;
    Object.defineProperty(this, REFUSED, { value: true });
  }

  /** Recognizes the error across duplicated installs, where `instanceof` would not. */
  static isInstance(value: unknown): value is CallRefusedError {
    return isMarked(value, REFUSED);
  }
}

const FAILED = Symbol.for("toolcontract.failed");

/**
 * Thrown by an admission's `run` if a stage says that the tool ran and failed; its message is what the model must
 * read. No attempt is counted.
 *
 * @example
 * ```ts
 * await admitted.run(book).catch((error: unknown) => {
 *   if (CallFailedError.isInstance(error)) console.log(error.message); // what the model must read
 * });
 * ```
 */
export class CallFailedError extends Error {
  override readonly name: string = "CallFailedError";

  constructor(message: string) {
    super(message);
    Object.defineProperty(this, FAILED, { value: true });
  }

  /** Recognizes the error across duplicated installs, where `instanceof` would not. */
  static isInstance(value: unknown): value is CallFailedError {
    return isMarked(value, FAILED);
  }
}
