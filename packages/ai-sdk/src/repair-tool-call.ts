import type { Admission, Blocked, Rejected } from "@toolcontract/core";
import { errorClass, nearestName } from "@toolcontract/core/adapter";
import { type ToolCallRepairFunction, type ToolSet, asSchema } from "ai";
import { attachAnswer, setText } from "./rejection-error.ts";
import { type ProviderCall, type RepairOptions, decide, hasForbiddenKeys } from "./decide.ts";
import type { Guard } from "./guard.ts";

const UNCHECKED = "This call could not be checked and did not run. Call the tool again.";

/**
 * The function that the SDK asks about every call that it could not read or that did not fit.
 *
 * It returns a mended call, or puts the contract's text on the error and returns null: the SDK then answers with
 * that error.
 */
export function repairToolCallFor<TOOLS extends ToolSet>(
  guard: Guard,
  own: ToolCallRepairFunction<TOOLS> | undefined,
): ToolCallRepairFunction<TOOLS> {
  const repair = async (options: RepairOptions): Promise<ProviderCall | null> => {
    const { toolCall, error } = options;
    if (toolCall.providerExecuted === true) return null;
    const ask = own as ToolCallRepairFunction<ToolSet> | undefined;
    const mended = await askOwn(ask, options, guard);
    if (mended !== null && (await sdkAccepts(mended, options.tools))) return mended;
    const renamed = guard.repairNames ? await rename(options, guard) : undefined;
    if (renamed) return renamed;
    const answer = await decide(options, guard);
    if (answer.status === "admitted") return mend(toolCall, answer, guard);
    refuse(error, answer, guard);
    return null;
  };
  return async (options) => {
    try {
      return await repair(options);
    } catch (thrown) {
      if (options.abortSignal?.aborted === true) throw thrown;
      // The SDK would put what was thrown into its answer.
      setText(options.error, UNCHECKED);
      reportFault("admit", thrown, options, guard);
      return null;
    }
  };
}

/** A repair function that fails has repaired nothing; only a cancelled call ends the run. */
async function askOwn(
  own: ToolCallRepairFunction<ToolSet> | undefined,
  options: RepairOptions,
  guard: Guard,
): Promise<ProviderCall | null> {
  try {
    return (await own?.(options)) ?? null;
  } catch (thrown) {
    if (options.abortSignal?.aborted === true) throw thrown;
    reportFault("repairToolCall", thrown, options, guard);
    return null;
  }
}

/** Names the class of what was thrown and never what it says: it may quote the arguments. */
function reportFault(
  stage: string,
  thrown: unknown,
  { toolCall: { toolName }, tools }: RepairOptions,
  guard: Guard,
): void {
  const fields = { level: "warn", stage, error_class: errorClass(thrown) } as const;
  // Any other name is the model's own text.
  const named = Object.hasOwn(tools, toolName) && { tool_name: toolName };
  const correlation_id = guard.conversationId;
  guard.contract.settings.log({ ...fields, ...named, correlation_id }, "Tool contract degraded");
}

/** The call under the near name, where its arguments fit that tool as they are. */
async function rename(options: RepairOptions, guard: Guard): Promise<ProviderCall | undefined> {
  const { toolCall, tools } = options;
  if (Object.hasOwn(tools, toolCall.toolName)) return undefined;
  const near = nearestName(toolCall.toolName, Object.keys(tools));
  if (near === undefined) return undefined;
  const call = { ...toolCall, toolName: near };
  const definition = await guard.definitions.get(near);
  if (definition === undefined) return undefined;
  const checked = await guard.contract.checkAsync(definition, toolCall.input);
  if (checked.status === "invalid") return undefined;
  const admission = await decide({ ...options, toolCall: call }, guard, checked);
  if (admission.status !== "admitted") return undefined;
  const fields = { level: "info", tool_name: near, repairs: [] } as const;
  guard.contract.settings.log(
    { ...fields, correlation_id: guard.conversationId },
    "Tool name repaired",
  );
  return mend(call, admission, guard);
}

function mend(
  toolCall: ProviderCall,
  { input }: Extract<Admission, { readonly status: "admitted" }>,
  guard: Guard,
): ProviderCall {
  guard.recent.admit(toolCall.toolCallId);
  return { ...toolCall, input: JSON.stringify(input) };
}

function refuse(error: Error, answer: Rejected | Blocked, guard: Guard): void {
  guard.recent.reject(answer.result);
  attachAnswer(setText(error, answer.result.content), answer);
}

/**
 * Tells whether the SDK will take a mended call.
 *
 * @remarks One that it does not take is answered with its own text, which holds every argument: it asks only once.
 */
async function sdkAccepts(
  { toolName, input }: { readonly toolName: string; readonly input: string },
  tools: ToolSet,
): Promise<boolean> {
  const tool = Object.hasOwn(tools, toolName) ? tools[toolName] : undefined;
  if (tool === undefined || hasForbiddenKeys(input)) return false;
  try {
    const value: unknown = input.trim() === "" ? {} : JSON.parse(input);
    const verdict = await asSchema(tool.inputSchema).validate?.(value);
    return verdict?.success ?? true;
  } catch {
    return false;
  }
}
