import type { CallContext, ToolTable } from "../call/index.ts";
import type {
  ArgumentsOf,
  Execute,
  Fitting,
  RunnableTool,
  ToolDefinition,
} from "../shared/index.ts";

/**
 * What the host knows about arguments that are only checked.
 *
 * @example
 * ```ts
 * const options: CheckOptions = { context: { user: "u-17" }, beforeApproval: "all" };
 * ```
 * @see packages/core/README.md
 */
export interface CheckOptions extends Pick<
  CallContext,
  "finishReason" | "signal" | "runsHere" | "context" | "grants"
> {
  /** Where the call would be made, for a stage that asks about it. */
  readonly place?: Partial<
    Pick<CallContext, "conversationId" | "runId" | "knowsRun" | "knowsConversation">
  > & {
    /** The provider's id of the call, if it was made. */
    readonly callId?: string;
  };
  /**
   * For a host that asks a person before it runs a call: the stage also makes, on what is known now, the checks that it otherwise
   * makes right before a run. `"rest"` leaves out those that the arguments alone have answered.
   *
   * @default only the checks of the arguments
   */
  readonly beforeApproval?: "all" | "rest";
  /** The model's text, if the host itself parsed or completed the arguments. */
  readonly rawText?: string;
}

/** A call's context and the host's function that runs the tool. */
export interface HandleContext<
  TOutput = unknown,
  TTool extends ToolDefinition = ToolDefinition,
> extends CallContext {
  /** The called tool, if the host has already looked it up: it types what `execute` gets. */
  readonly tool?: TTool;
  /**
   * Runs the tool that is called, with the arguments that its validator gives.
   *
   * @remarks With `tool`, the arguments have the type of that tool. A function for all `tools` gets `unknown`: give each tool its
   * own with `defineTool({ name, validator, execute })`, which is typed.
   */
  readonly execute: Execute<TOutput, ArgumentsOf<TTool>>;
}

/** A call's context with tools that carry the functions that run them. */
export type RunnableContext<TTool extends RunnableTool = RunnableTool> = Omit<
  CallContext,
  "tool" | "tools"
> &
  (RunnableOne<TTool> | RunnableTable<TTool>);

interface RunnableOne<TTool> {
  /** The called tool. */
  readonly tool: TTool & Fitting<TTool>;
  /** All tools of the host. */
  readonly tools?: ToolTable;
  /** The tool's own function runs it. */
  readonly execute?: undefined;
}

interface RunnableTable<TTool> {
  /** The called tool is looked up by its name. */
  readonly tool?: undefined;
  /** All tools of the host. */
  readonly tools:
    | (readonly TTool[] & readonly Fitting<TTool>[])
    | (Readonly<Record<string, TTool>> & Readonly<Record<string, Fitting<TTool>>>);
  /** The tools' own functions run them. */
  readonly execute?: undefined;
}

/** What the function of a tool gives. */
export type OutputOf<TTool extends RunnableTool> = Awaited<ReturnType<TTool["execute"]>>;
