import type { AskRequest } from "./ask.ts";
import type { Lane, TypedOutcome } from "./lane.ts";
import type { MaybePromise } from "@toolcontract/explain/adapter";
import type { RuleContext, RuleError, ToolCall, ToolDefinition } from "./tool.ts";

/** A lane that a stage may count in: validation is the contract's own. */
export type StageLane = Exclude<Lane, "validation">;

/** What was undone of a call that ran: `"all"`, or the names of the effects that could not be. */
export type Undone = "all" | readonly string[];

/**
 * A stage around execution, as the `guardrails` option takes it.
 *
 * It judges calls whose arguments the tool accepts: before they run, while they run, and by what came of it. Whatever
 * it refuses is counted in one of its lanes and answered in the contract's own message.
 */
export interface ExecutionStage {
  /** Names the stage in errors and logs. */
  readonly name: string;
  /** How many attempts a tool has in each lane that the stage counts in. */
  readonly lanes: Readonly<Partial<Record<StageLane, number>>>;
  /**
   * True if `check` leaves verdicts to the run, such as those on a state: a host that asks a person before a call runs then asks
   * for the rest.
   */
  readonly defers?: boolean;
  /** The names of the events that the stage emits, besides the contract's own. */
  readonly events?: readonly string[];
  /**
   * Called once for each contract that the stage is registered with, when that contract is created: what the stage
   * reports with outside of a call.
   */
  attach?(reports: StageReports): void;
  /**
   * Called with the names of the host's tools, each time they are known.
   *
   * @throws ToolContractError if the stage names a tool that the host does not have.
   */
  checkTools?(names: readonly string[]): void;
  /**
   * Called with the names of tools that may be called, some or all of the host's: once they are known, and before each
   * call is decided.
   *
   * @throws ToolContractError if the stage could not do for one of them what it promises.
   */
  checkCallable?(names: readonly string[]): void;
  /**
   * Called by a host that knows less than where each call is made, as it attaches the contract: no later moment tells it.
   *
   * @param where - The function that the host's user has called, for errors.
   * @throws ToolContractError if the stage could judge no call without what is not known, with what to pass.
   */
  checkPlaces?(
    where: string,
    known: { readonly conversation: boolean; readonly run: boolean },
  ): void;
  /**
   * Whether a tool that the stage has closed in a run was opened again: its calls are then decided as if it had not been closed.
   */
  isReopened?(run: {
    readonly tool: string;
    readonly conversationId?: string | undefined;
    readonly runId?: string | undefined;
  }): boolean;
  /**
   * False for a tool of which the stage judges nothing: then arguments that the host passes as an object are not copied, which
   * otherwise keeps it from changing them between the verdict and the run.
   */
  judges?(tool: string): boolean;
  /**
   * What a tool is declared to change: `"none"`, or any other word for a tool that changes something. Undefined if nothing is declared.
   */
  effectOf?(tool: string): string | undefined;
  /**
   * Whether a call of a tool must not run again once it has run: if the same call of the same message comes again, such as in a node that
   * is restarted or a turn that is repeated, it is answered with what came of it.
   *
   * @returns Undefined if it may run again. `brokenOff` is what the call is refused with if its run was cancelled, so that nobody knows
   *   what it did; without it, it runs again then. `runsOnce: true` lets equal calls of one message run once, unless the contract's
   *   `repeatedCalls` says otherwise. `elsewhere` is what other processes know of it.
   */
  unrepeatable?(
    tool: string,
    call: ToolCall,
  ):
    | {
        readonly brokenOff?: StageRefusal;
        readonly runsOnce?: boolean;
        readonly elsewhere?: CallsElsewhere;
      }
    | undefined;
  /**
   * Checks arguments that the tool's validator and rules accepted, before anybody is asked to approve the call.
   *
   * @remarks If it throws, the call is refused. A host that checks arguments alone knows no conversation and no turn.
   */
  check?(args: unknown, context: StageContext): MaybePromise<StageRefusal | undefined>;
  /**
   * Runs an admitted call: calls `run` or does not, and returns the result.
   *
   * @remarks What it throws reaches the host as the same object and is not counted.
   */
  around?(call: StagedCall): MaybePromise<StageAnswer>;
}

/** What processes tell each other of calls that must not run twice, by the name of their element in the journal. */
export interface CallsElsewhere {
  /** How far a call has come; undefined if it has not begun, or nobody can say. */
  find(element: string): MaybePromise<CallElsewhere | undefined>;
  /** Notes that a call begins, and returns how far it had come before, in one step. */
  begin(element: string): MaybePromise<CallElsewhere | undefined>;
  /** Notes that it has succeeded, and perhaps what its tool returned. */
  end(element: string, returned: ReturnedElsewhere | undefined): MaybePromise<void>;
  /** Forgets a call that has not run after all, or goes on later. */
  forget(element: string): MaybePromise<void>;
}

/** How far a call has come in another process. */
export interface CallElsewhere {
  /** One that has begun and never ends was broken off, or nobody knows what it did. */
  readonly status: "begun" | "ended";
  /** What its tool returned, if that is kept. */
  readonly returned?: Pick<ReturnedElsewhere, "output">;
}

/** What a tool returned, for other processes. */
export interface ReturnedElsewhere {
  /** What it returned. */
  readonly output: unknown;
  /** What the model reads of it, for what is not plain data. */
  readonly text: string;
}

/** What a stage reports with, so that it needs no masking, log or event emitter of its own. */
export interface StageReports {
  /**
   * Emits one of the stage's `events` on the contract; the payload is created only if somebody listens.
   *
   * @throws ToolContractError if the stage does not name the event in its `events`.
   */
  emit(event: string, payload: () => unknown): void;
  /** Writes to the contract's logger; the fields must hold no value that a model sent. */
  log(fields: PackageLogFields, message: string): void;
  /**
   * Masks secrets in a string, shortens its paths, escapes it and cuts it.
   *
   * @param maxLength - The longest result, in UTF-16 code units; 300 by default.
   */
  sanitize(text: string, maxLength?: number): string;
}

/** What another package logs through the contract. */
export interface PackageLogFields {
  /** How serious it is. */
  readonly level: "info" | "warn";
  /** The package, such as `guardrails`. */
  readonly package: string;
  readonly [field: string]: unknown;
}

/** What a stage knows about a call. */
export interface StageContext extends RuleContext {
  /** The same object for every call of a contract. */
  readonly reports: StageReports;
  /** The tool as the host defines it; absent if only its name is known. */
  readonly definition?: Pick<ToolDefinition, "description" | "inputSchema"> | undefined;
  /** The call, if the host has named it yet. */
  readonly call?: ToolCall;
  /**
   * False if the host cannot tell this run from others under the same `conversationId`. Keep nothing of the call for
   * later ones then: they may be another user's.
   */
  readonly knowsRun?: boolean;
  /** Names the agent that makes the call, if several work in one conversation. */
  readonly agent?: string;
  /** False if `conversationId` is a default that calls of unrelated users share. */
  readonly knowsConversation?: boolean;
  /**
   * False if the tool runs outside of the contract, such as in a client, so that the stage's `around` is not called;
   * absent if the host does not know.
   */
  readonly runsHere?: boolean;
  /**
   * Set if the host asks a person before it runs a call: `check` then answers `"all"` that it can, also by what may have changed
   * when the call runs, or the `"rest"` that it did not answer by the arguments alone.
   */
  readonly beforeApproval?: "all" | "rest";
  /** The number of this attempt in each lane of the stage, from 1. */
  readonly attempts?: Readonly<Partial<Record<StageLane, number>>>;
}

/** An admitted call, before it runs. */
export interface StagedCall extends StageContext {
  readonly call: ToolCall;
  /** The arguments that the tool gets: the validator's output. */
  readonly args: unknown;
  readonly attempts: Readonly<Partial<Record<StageLane, number>>>;
  /**
   * Runs the tool and hands back what it returned. Each call of it runs the tool again, with the same arguments.
   *
   * @throws ToolContractError if it is called again although `runsOnce` is true.
   */
  readonly run: () => unknown;
  /** True if the host runs a call once: an MCP proxy cannot send a client's request again. */
  readonly runsOnce: boolean;
  /** Makes another call, for what undoes this one; absent if the host cannot. */
  readonly callTool?: CallTool;
  /**
   * Set if the contract only observes: report here what would be refused, withheld or asked, then run the call, keep what it did, and
   * return what its tool returned. A stage that refuses instead is not obeyed.
   */
  readonly observe?: (refusal: StageRefusal) => Promise<void>;
}

/**
 * Calls a tool of the host beside the contract: the call is not checked, judged or counted. It does not end with the
 * signal of the call that it undoes.
 */
export type CallTool = (name: string, args: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** How a call ended: its value, a failure, a refusal, or an error that the host gets unchanged. */
export type StageAnswer =
  | {
      readonly action: "return";
      /** What the host gets, such as what the tool returned. */
      readonly value: unknown;
    }
  | {
      readonly action: "throw";
      /** What is thrown, as the same object. */
      readonly error: unknown;
    }
  | StageFailure
  | StageRefusal;

/**
 * The tool ran and failed, and another call would not help: the model reads that it failed, and no attempt is counted
 * and none forgotten.
 */
export interface StageFailure {
  readonly action: "fail";
  /** What the tool returned. */
  readonly value: unknown;
  /** Why it failed, for the model; without it, the model reads what `value` says. */
  readonly message?: string;
  /** What was undone, which the model reads below the message. */
  readonly undone?: Undone;
  /**
   * Set if the stage withholds what the tool returned, and `message` says why: `"done"` if the tool succeeded, or `"failed"`.
   */
  readonly withheld?: "done" | "failed";
}

/** What a stage says about a refused attempt, as plain data without secrets. */
export type StageFeedback = Readonly<Record<string, string | number>>;

/**
 * A refused call: the model may try again (`"retry"`), the tool is closed for the run (`"stop"`), a person is asked (`"ask"`), or something is
 * missing that only the host could have passed (`"skip"`); the last two count as no attempt.
 */
export interface StageRefusal {
  /** Whether the model may try again. */
  readonly action: "retry" | "stop" | "ask" | "skip";
  /** What a person is asked. */
  readonly request?: AskRequest;
  /** The lane in which the attempt is counted. */
  readonly lane: StageLane;
  /** What was wrong, for the model. */
  readonly errors: readonly RuleError[];
  /** What was undone, if the tool ran: `"all"`, or the names of the effects that could not be. */
  readonly undone?: Undone;
  /** The typed outcome if this attempt closes the tool; the argument is the attempt's number. */
  readonly outcomeOf?: (attempt: number) => TypedOutcome | undefined;
  /**
   * What the result says about the attempt as data, for programs; the model reads `errors`.
   *
   * @param attempt - The number of the attempt in its lane, from 1.
   * @param remaining - How many more attempts the lane has.
   */
  readonly feedbackOf?: (attempt: number, remaining: number) => StageFeedback;
  /**
   * Called when a refusal by `check` is counted, which is when its call is known; `attempt` is its number in the lane.
   *
   * @remarks A refusal that is only checked for is not counted. One by `around` is, right after it.
   */
  readonly onCounted?: (context: StageContext, attempt: number) => void;
}
