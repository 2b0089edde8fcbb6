import type { LanguageModel, StopCondition, ToolCallRepairFunction, ToolSet } from "ai";
import type { PrepareStep } from "../guard.ts";

/**
 * What to spread into generateText or streamText, made anew for each run.
 *
 * @example
 * ```ts
 * const generate = (options: GenerateOptions<ToolSet>) => generateText({ ...options, prompt: "…" });
 * ```
 * @see docs/session.md
 */
export interface GenerateOptions<TOOLS extends ToolSet> {
  /** Asks the targets of the session. */
  readonly model: Exclude<LanguageModel, string>;
  /** Your tools within the limits and under the contract, and the tool for the final report. */
  readonly tools: TOOLS;
  /** Zero: the session retries. */
  readonly maxRetries: number;
  /** The end of the run, and your own conditions. */
  readonly stopWhen: StopCondition<TOOLS>[];
  readonly prepareStep: PrepareStep<TOOLS>;
  /** Repairs or answers calls that the SDK could not read. */
  readonly repairToolCall: ToolCallRepairFunction<TOOLS>;
  /** The only name that versions 5 and 6 read. */
  readonly experimental_repairToolCall: ToolCallRepairFunction<TOOLS>;
  /** Set only if you passed it. */
  readonly activeTools?: (keyof TOOLS & string)[];
  /** Lets version 7 ask again for a step whose stream broke; other versions end the run. */
  readonly streamRetries: number;
  /** Reads the SDK's own `timeout`, so that a request fails, and not the run. */
  readonly onStart: (event: { readonly timeout?: unknown }) => void;
  /** The only name that version 6 reads. */
  readonly experimental_onStart: (event: { readonly timeout?: unknown }) => void;
  /** Keeps streamText from printing errors, which are in the result. */
  readonly onError: () => void;
}
