import type { StopCondition, ToolCallRepairFunction, ToolSet } from "ai";
import { ToolContractError } from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";
import {
  type AdapterOptions,
  createGuard,
  type Guard,
  keepGuard,
  markGuarded,
  type PrepareStep,
  type WithContractOptions,
} from "./guard.ts";
import { guardTool } from "./guarded-tool.ts";
import { type GuardedOutput, outputOf } from "./output.ts";
import type { OutputOptions } from "./output-options.ts";
import { prepareStepFor, stopWhenFor } from "./prepare-step.ts";
import { repairToolCallFor } from "./repair-tool-call.ts";

/** What a schema that the SDK takes has one of. */
const SCHEMAS: readonly PropertyKey[] = [
  Symbol.for("vercel.ai.schema"),
  "~standard",
  "_def",
  "jsonSchema",
];

/** What to spread into generateText, streamText or the settings of a ToolLoopAgent. */
export interface Guarded<TOOLS extends ToolSet> {
  /** Your tools, each guarded by the contract. */
  readonly tools: TOOLS;
  /** Repairs or answers a call that the SDK could not read or that its tool does not accept. */
  readonly repairToolCall: ToolCallRepairFunction<TOOLS>;
  /** The only name that versions 5 and 6 read. */
  readonly experimental_repairToolCall: ToolCallRepairFunction<TOOLS>;
  /** Your function, with the contract's part of each step added. */
  readonly prepareStep: PrepareStep<TOOLS>;
  /** Your conditions and the contract's; if you gave none, at most 20 steps. */
  readonly stopWhen: StopCondition<TOOLS>[];
  /** Set only if you passed it. */
  readonly activeTools?: (keyof TOOLS & string)[];
}

/**
 * Puts a set of tools under a contract: an invalid call is answered with one short message and never reaches the
 * tool, the client or the person who approves; after `maxAttempts` it escalates.
 *
 * @throws ToolContractError if an option is unknown or has the wrong type.
 * @example
 * ```ts
 * const guarded = withContract({ tools, maxAttempts: 3 });
 * const { text } = await generateText({ model, prompt: "Two seats", ...guarded });
 * ```
 * @see packages/ai-sdk/README.md
 */
export function withContract<TOOLS extends ToolSet, OBJECT>(
  options: WithContractOptions<TOOLS> & { readonly output: OutputOptions<OBJECT> },
): Guarded<TOOLS> & GuardedOutput<OBJECT>;
/** Puts a set of tools under a contract, as above. */
export function withContract<TOOLS extends ToolSet>(
  options: WithContractOptions<TOOLS>,
): Guarded<TOOLS>;
export function withContract<TOOLS extends ToolSet>(
  options: WithContractOptions<TOOLS>,
): Guarded<TOOLS> {
  const guarded = guardAll(options, createGuard(options));
  return options.output ? Object.assign(guarded, outputOf(options.output)) : guarded;
}

/**
 * Throws if a tool has its schema where version 4 of the SDK had it, which later ones take for a tool without one; or a bare JSON Schema,
 * as `defineTool` of the core and other SDKs have it.
 */
function checkTool(name: string, tool: ToolSet[string]): void {
  const given: unknown = tool.inputSchema;
  if (isRecord(given) && !SCHEMAS.some((key) => key in given)) {
    throw new ToolContractError(
      `withContract: the 'inputSchema' of the tool '${name}' is a bare JSON Schema. Wrap it with the SDK's jsonSchema(), as in tool({ inputSchema: jsonSchema({ … }), execute }).`,
    );
  }
  if (tool.inputSchema !== undefined || !("parameters" in tool)) return;
  throw new ToolContractError(
    `withContract: the tool '${name}' has 'parameters' and no 'inputSchema', so nothing would check its arguments. Pass its schema as 'inputSchema'.`,
  );
}

/** Puts the tools under the guard, which the options were checked for. */
export function guardAll<TOOLS extends ToolSet>(
  options: AdapterOptions<TOOLS>,
  guard: Guard,
): Guarded<TOOLS> {
  // No prototype: on any other object, versions 5 and 6 would find a tool named `constructor`.
  const tools = Object.create(null) as Record<string, ToolSet[string]>;
  for (const [name, tool] of Object.entries(options.tools)) {
    checkTool(name, tool);
    const guarded = guardTool(name, tool, guard);
    tools[name] = guarded === tool ? tool : markGuarded(guarded);
  }
  keepGuard(tools, guard);
  const repairToolCall = repairToolCallFor<TOOLS>(guard, options.repairToolCall);
  const { activeTools } = options;
  return markGuarded({
    tools: markGuarded(tools) as TOOLS,
    repairToolCall,
    experimental_repairToolCall: repairToolCall,
    // The compiler cannot read the type of an option of generateText while TOOLS is open.
    prepareStep: prepareStepFor<TOOLS>(
      guard,
      options.prepareStep,
      activeTools,
      options.output,
    ) as PrepareStep<TOOLS>,
    stopWhen: stopWhenFor<TOOLS>(guard.escalate, options.stopWhen),
    ...(activeTools && { activeTools: [...activeTools] }),
  });
}
