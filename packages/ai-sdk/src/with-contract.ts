import type { PrepareStepFunction, StopCondition, ToolCallRepairFunction, ToolSet } from "ai";
import { type WithContractOptions, createGuard } from "./guard.ts";
import { guardTool } from "./guarded-tool.ts";
import { prepareStepFor, stopWhenFor } from "./prepare-step.ts";
import { repairToolCallFor } from "./repair-tool-call.ts";

/** What to spread into generateText, streamText or the settings of a ToolLoopAgent. */
export interface Guarded<TOOLS extends ToolSet> {
  readonly tools: TOOLS;
  readonly repairToolCall: ToolCallRepairFunction<TOOLS>;
  /** The only name that version 5 and 6 read. */
  readonly experimental_repairToolCall: ToolCallRepairFunction<TOOLS>;
  readonly prepareStep: PrepareStepFunction<TOOLS>;
  /** The given conditions with the contract's; where none were given, at most 20 steps. */
  readonly stopWhen: StopCondition<TOOLS>[];
  /** Only there where it was given. */
  readonly activeTools?: (keyof TOOLS & string)[];
}

/**
 * Puts a contract around a set of tools: an invalid call is answered with one short message and never reaches
 * the tool, the client or the person who approves; after `maxAttempts` it escalates.
 *
 * @throws ToolContractError where an option is unknown or of the wrong kind.
 */
export function withContract<TOOLS extends ToolSet>(
  options: WithContractOptions<TOOLS>,
): Guarded<TOOLS> {
  const guard = createGuard(options);
  // Without a prototype: versions 5 and 6 would find a tool named `constructor` on any other object.
  const tools = Object.create(null) as Record<string, ToolSet[string]>;
  for (const [name, tool] of Object.entries(options.tools)) {
    tools[name] = guardTool(name, tool, guard);
  }
  const repairToolCall = repairToolCallFor<TOOLS>(guard, options.repairToolCall);
  const { activeTools } = options;
  return {
    tools: tools as TOOLS,
    repairToolCall,
    experimental_repairToolCall: repairToolCall,
    prepareStep: prepareStepFor<TOOLS>(guard, options.prepareStep, activeTools),
    stopWhen: stopWhenFor<TOOLS>(guard.escalate, options.stopWhen),
    ...(activeTools && { activeTools: [...activeTools] }),
  };
}
