import type { WithContract } from "@toolcontract/core/adapter";
import type { PrepareStepFunction, StopCondition, ToolCallRepairFunction, ToolSet } from "ai";

/** What happens to the loop once a tool's attempts are spent. */
export type Escalate = "drop-tool" | "stop" | "throw";

/** What the adapter itself needs to know; everything else is the contract's. */
export interface AdapterOptions<TOOLS extends ToolSet> {
  /** All tools of the call; the guarded ones keep this exact type. */
  readonly tools: TOOLS;
  /** `"drop-tool"` (default) takes a blocked tool off the list, `"stop"` ends the loop, `"throw"` throws an EscalationError. */
  readonly escalate?: Escalate;
  /** Your own repair function; it is asked first, and what it returns is checked before the SDK sees it. */
  readonly repairToolCall?: ToolCallRepairFunction<NoInfer<TOOLS>>;
  /**
   * Your own stop conditions; the contract's are added to them.
   *
   * @remarks Pass them here: the returned `stopWhen` replaces one that stands before the spread. Without any, the
   * loop ends after 20 steps.
   */
  readonly stopWhen?: StopCondition<NoInfer<TOOLS>> | readonly StopCondition<NoInfer<TOOLS>>[];
  /** Your own step preparation; what it returns is kept, without the tools that are blocked. */
  readonly prepareStep?: PrepareStepFunction<NoInfer<TOOLS>>;
  /** The tools that are active in every step; pass it here instead of to the SDK, so that dropping a tool activates no other. */
  readonly activeTools?: readonly (keyof NoInfer<TOOLS> & string)[];
  /** Renames a call of an unknown tool to the one near name, where the arguments fit it; off by default. */
  readonly repairNames?: boolean;
  /** Names the conversation in logs and events; attempts are counted from its messages. */
  readonly conversationId?: string;
}

/** The adapter's options, beside either a contract or the options of a new one. */
export type WithContractOptions<TOOLS extends ToolSet> = WithContract<AdapterOptions<TOOLS>>;
