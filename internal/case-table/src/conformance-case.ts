/** One row of the table: a conversation's tool calls and the expected outcome of each. */
export interface ConformanceCase {
  readonly name: string;
  readonly tools: readonly CaseTool[];
  readonly options?: CaseOptions;
  /** The model's turns, oldest first; the first follows a user message. */
  readonly turns: readonly CaseTurn[];
  /** Guardrails with a state of their own; each host makes new ones for each run of the case. */
  readonly guarded?: CaseGuardrails;
  /** Strings that neither a message nor a log entry may contain. */
  readonly secrets?: readonly string[];
}

/** A tool as a server or a framework declares it. */
export interface CaseTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
}

/** JSON data: a row can be sent to another process. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/**
 * The contract's options that a case may set; all but rules are plain data.
 *
 * @example
 * ```ts
 * const options: CaseOptions = { maxAttempts: 3, scope: "run" };
 * ```
 * @see docs/writing-an-adapter.md
 */
export interface CaseOptions {
  readonly maxAttempts?: number;
  readonly scope?: "run" | "thread";
  readonly format?: CaseFormat;
  readonly unknownFields?: "schema" | "warn" | "reject";
  readonly repairJson?: boolean;
  readonly closeDangling?: boolean;
  readonly unwrapStrings?: boolean | "scalars";
  readonly overBudget?: "refuse" | "accept";
  readonly onBlocked?: "forgive" | "refuse";
  readonly reportAdvisories?: boolean;
  readonly workspaceRoot?: string;
  readonly rules?: Readonly<Record<string, readonly CaseRule[]>>;
  /** A stage around execution; it must keep no state, because many hosts share it. */
  readonly guardrails?: CaseStage;
  readonly maxCallsPerTurn?: number;
}

/** A stage as core's `guardrails` option takes it. */
export interface CaseStage {
  readonly name: string;
  readonly lanes: Readonly<Partial<Record<StageLane, number>>>;
  check?(args: unknown, context: never): MaybePromise<CaseRefusal | undefined>;
  around?(call: CaseRun): MaybePromise<
    | { readonly action: "return"; readonly value: unknown }
    | { readonly action: "throw"; readonly error: unknown }
    | {
        readonly action: "fail";
        readonly value: unknown;
        readonly message?: string;
        readonly undone?: "all" | readonly string[];
      }
    | CaseRefusal
  >;
}

type StageLane = "guardrail" | "outcome" | "generation";
type MaybePromise<T> = T | PromiseLike<T>;

/** A call as a stage gets it. */
interface CaseRun {
  readonly args: unknown;
  readonly run: () => unknown;
  readonly runsOnce: boolean;
  readonly callTool?: (name: string, args: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** What a stage refuses a call for. */
interface CaseRefusal {
  readonly action: "retry" | "stop" | "ask" | "skip";
  readonly lane: StageLane;
  readonly errors: readonly {
    readonly message: string;
    readonly fieldPath?: string;
    readonly hint?: string;
  }[];
  readonly undone?: "all" | readonly string[];
}

/** The options of `createGuardrails`, with the state that a store begins with. */
export interface CaseGuardrails {
  readonly state: JsonObject;
  readonly effects: Readonly<Record<string, "none" | "state" | "compensable">>;
  readonly guardrails: readonly CaseGuardrail[];
  /** What a tool's result does to the state: the same in every host, whatever runs the tool. */
  readonly stateChanges?: Readonly<Record<string, (change: CaseChange) => void>>;
  readonly budgets?: { readonly guardrail?: number; readonly outcome?: number };
  /** The call that undoes another. */
  readonly compensate?: Readonly<Record<string, (call: { readonly args: object }) => CaseInverse>>;
}

interface CaseInverse {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A call that ran, and the state that it may change. */
interface CaseChange {
  // oxlint-disable-next-line typescript/no-explicit-any -- each case has tools and a state of its own
  readonly args: any;
  // oxlint-disable-next-line typescript/no-explicit-any -- each case has tools and a state of its own
  readonly state: any;
}

type CaseGuardrail = {
  readonly name: string;
  readonly tools?: readonly string[];
  readonly stage?: "validate" | "commit";
  readonly check: (
    context: CaseChange,
  ) => { readonly message: string; readonly fieldPath?: string; readonly hint?: string } | false;
} & (
  | { readonly class?: "recoverable_guardrail" }
  | { readonly class: "terminal_guardrail"; readonly reason: "missing_credentials" }
);

/** The guardrails of a case, as the package made them. */
export interface MadeGuardrails extends CaseStage {
  readonly store: { readonly state: unknown } | undefined;
}

/** The message's style and bounds; a case without a style runs in both. */
interface CaseFormat {
  readonly style?: Style;
  readonly maxLength?: number;
  readonly maxErrors?: number;
  readonly maxValuePreview?: number;
}

/** How a message is laid out. */
export type Style = "standard" | "compact";

/** A requirement of a tool beyond its schema. */
export type CaseRule = (
  args: never,
) => readonly { readonly fieldPath?: string; readonly message: string }[];

/** One assistant message; its calls are made at the same time. */
export interface CaseTurn {
  /** True if a new user message came before it. */
  readonly user?: true;
  /** Why the output ended, in the provider's words. */
  readonly finishReason?: string;
  readonly calls: readonly CaseCall[];
  /** What is committed after the turn, if the case has guardrails. */
  readonly committed?: Json;
}

/** A tool call as the model wrote it. */
export interface CaseCall {
  readonly id: string;
  readonly tool: string;
  /** The arguments as the model wrote them. */
  readonly arguments: string;
  /** What the tool returns; `"done"` by default. */
  readonly output?: string;
  /** True if the tool fails although its arguments are valid. */
  readonly fails?: true;
  readonly expected: ExpectedExecution | ExpectedRefusal;
}

/** The call is valid and runs. */
export interface ExpectedExecution {
  readonly outcome: "executed";
  /** The arguments that the tool gets, if they differ from those that were sent. */
  readonly input?: Json;
  /** True if the stage says that the tool failed. */
  readonly failed?: true;
  /** What the model reads in the standard style, if it is not the tool's own result. */
  readonly text?: string;
  /** The same in the compact style. */
  readonly compact?: string;
}

/** The call is rejected; it never runs, unless a stage refuses what came of it. */
export interface ExpectedRefusal {
  /** The tool that a misspelt name counts as, if one was surely meant. */
  readonly countsAs?: string;
  readonly outcome: "rejected" | "blocked";
  /** What the attempt is counted under, if not validation. */
  readonly lane?: "guardrail" | "outcome";
  /** How the attempts of the lane ended, as the escalation says it; without what differs from host to host. */
  readonly typed?: JsonObject;
  /** True if the tool ran before the call was refused. */
  readonly ran?: true;
  /** The answer to a call too many in its turn, which is not an attempt. */
  readonly skipped?: string;
  /** Code and pointer of every error in the order of the message, such as `VAL-008 /encoding`. */
  readonly codes: readonly string[];
  readonly attempt: number;
  /** True if the attempts were used up before this turn. */
  readonly settled?: true;
  /** How many errors are counted but not shown. */
  readonly hidden?: number;
  /** The earlier attempt that had the same arguments. */
  readonly repeats?: number;
  /** Code and pointer of the advisories in the message. */
  readonly advisories?: readonly string[];
  /** The attempts that the message lists, by number; those of an escalation. */
  readonly earlier?: readonly number[];
  /** The whole message in the standard style. */
  readonly text?: string;
  /** The whole message in the compact style. */
  readonly compact?: string;
}
