import type { HostContext } from "@toolcontract/core";
import type { LimitUsage } from "./limits.ts";
import type { MaybePromise } from "@toolcontract/core/adapter";
import type { ReadOnly } from "./store.ts";

/** The reasons that are always known. */
export const TERMINAL_REASONS = [
  "missing_credentials",
  "dependency_unavailable",
  "unsupported_capability",
] as const;

/**
 * The reasons that may close a tool at once. Declare your own by merging, and name them in the option `terminalReasons`:
 * `declare module "@toolcontract/guardrails" { interface TerminalReasonMap { account_frozen: true } }`.
 */
export interface TerminalReasonMap extends Record<(typeof TERMINAL_REASONS)[number], true> {}

/** Why a call cannot succeed without a change from outside; nothing else may close a tool at once. */
export type TerminalReason = keyof TerminalReasonMap;

/** For all guardrails of the process: a tool may throw a violation that is made beside them. */
const reasons = new Set<string>(TERMINAL_REASONS);

/** Makes reasons known; more than once changes nothing. */
export function registerTerminalReasons(more: readonly string[]): void {
  for (const reason of more) reasons.add(reason);
}

/** Whether it is a reason that is known. */
export function isTerminalReason(value: unknown): value is TerminalReason {
  return typeof value === "string" && reasons.has(value);
}

/** How a violation is recovered from: by another call (the default), or not without a change from outside. */
export type GuardrailClass =
  | {
      /**
       * Another call may be right.
       *
       * @default "recoverable_guardrail"
       */
      readonly class?: "recoverable_guardrail";
      readonly reason?: never;
    }
  | {
      /** No other call can succeed. */
      readonly class: "terminal_guardrail";
      /** Why not. */
      readonly reason: TerminalReason;
    };

/** What a guardrail found wrong, in words for the model; never an argument's value. */
export type Violation = GuardrailClass & {
  /** What is wrong, such as `order exceeds stock`. */
  readonly message: string;
  /** Where in the arguments, as a JSON Pointer such as `/qty`. */
  readonly fieldPath?: string;
  /** What to do instead, such as `lower qty`: it names the mechanism, not the answer. */
  readonly hint?: string;
};

/**
 * A call that a person must agree to before it runs, and why, in words for them. Only before the tool runs, and only if no other
 * guardrail refuses the call.
 */
export interface AskPerson {
  /** Why a person is asked, such as `more than 100 at once`. */
  readonly ask: string;
  readonly message?: never;
}

/** Another result in place of the one that the tool returned, such as one without what nobody may read. Only of an output guardrail. */
export interface ReplaceResult {
  /** What the model and the host get. */
  readonly replace: unknown;
  readonly message?: never;
  readonly ask?: never;
}

/** Whose earlier calls are counted: those of the conversation, or of the user in all conversations. */
export type RanScope = "conversation" | "user";

/** What a check answers: nothing wrong (`false`, `null` or nothing), a message, a violation, a question to a person, or several. */
export type Verdict =
  | Violation
  | AskPerson
  | ReplaceResult
  | string
  | readonly (Violation | AskPerson)[]
  | false
  | null;

/** What a check knows; the state and the result cannot be changed through it. */
export interface GuardrailContext<State = unknown, Args = unknown, Result = unknown> {
  /** The tool's name. */
  readonly tool: string;
  /** The arguments that the tool gets: the validator's output. */
  readonly args: Args;
  /** What the host passed as `context`; empty if it passed nothing. */
  readonly context: HostContext;
  /**
   * How much of a limit is used, without this call: `(await usage("budget")).left`. A promise only if the ledger answers with one.
   *
   * @throws ToolContractError if there is no such limit, or its scope has no value for this call.
   */
  readonly usage: (limit: string) => MaybePromise<LimitUsage>;
  /**
   * How many calls of a tool that the guardrail `watches` have begun in the conversation, or for the user: `await ran("read_secret")`.
   * A promise only if the ledger answers with one.
   *
   * @throws ToolContractError if no guardrail watches the tool, or the scope has no value for this call.
   */
  readonly ran: (tool: string, scope?: RanScope) => MaybePromise<number>;
  /** The state as this attempt sees it; after execution, with what the tool changed. */
  readonly state: ReadOnly<State>;
  /** What the tool returned; undefined before it ran. */
  readonly result: Result;
  /** The number of this attempt in the guardrail lane, from 1. */
  readonly attempt: number;
  /** The provider's id of the call, if the host has named it yet. */
  readonly callId?: string;
  /** The conversation in which the call was made. */
  readonly conversationId?: string;
  /** Aborts when the call is cancelled or the check's time is over. */
  readonly signal: AbortSignal;
}

/** A policy: it says whether a call is allowed, or whether what a tool did may stay. */
export type Guardrail<
  State = unknown,
  Args = unknown,
  Result = unknown,
  Tool extends string = string,
> = GuardrailClass & {
  /** Its name: the violation's type in feedback, outcomes and telemetry. */
  readonly name: string;
  /**
   * The tools that it applies to.
   *
   * @default every tool of the host
   */
  readonly tools?: readonly Tool[];
  /**
   * `"validate"`: before the tool runs. `"commit"`: after it ran, on the staged state; the effects of its tools must
   * be declared, because it can only refuse what can be undone. `"output"`: after what the tool did is there to stay, for any tool; it
   * withholds the result with a message, or answers `{ replace }`.
   *
   * @default "validate"
   */
  readonly stage?: "validate" | "commit" | "output";
  /** The tools whose earlier calls it asks about with `ran`: they are remembered. */
  readonly watches?: readonly Tool[];
  /**
   * What a `validate` guardrail looks at. One that needs only `"args"` runs before anybody is asked to approve the call,
   * one that needs the `"state"` right before execution. By default a guardrail that reads `state` needs it.
   */
  readonly needs?: "args" | "state";
  /** The hint of violations that have none. */
  readonly hint?: string;
  /** Looks at a call; if it throws, never answers or gives an invalid answer, the call is refused and the tool closed. */
  check(context: GuardrailContext<State, Args, Result>): Verdict | Promise<Verdict>;
};
