import type { Admission, Blocked, Rejected } from "@toolcontract/core";
import type { ToolCallRepairFunction, ToolSet } from "ai";
import { attachAnswer } from "./answer.ts";
import { decide } from "./decide.ts";
import type { Guard } from "./guard.ts";
import { nearName } from "./near-name.ts";
import { setText } from "./rejection-error.ts";
import type { ProviderCall, RepairOptions } from "./repair-options.ts";
import { sdkAccepts } from "./sdk-accepts.ts";

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
    const { toolCall, error, abortSignal } = options;
    if (toolCall.providerExecuted === true) return null;
    const mended = await askOwn(own as ToolCallRepairFunction<ToolSet> | undefined, options);
    if (mended !== null && (await sdkAccepts(mended, options.tools))) return mended;
    abortSignal?.throwIfAborted();
    const renamed = guard.repairNames ? await rename(options, guard) : undefined;
    if (renamed) return renamed;
    const answer = await decide(options, guard);
    if (answer.status === "admitted") return mend(toolCall, answer, guard);
    refuse(error, answer, guard);
    return null;
  };
  return repair;
}

/** A repair function that fails has repaired nothing; only a cancelled call ends the run. */
async function askOwn(
  own: ToolCallRepairFunction<ToolSet> | undefined,
  options: RepairOptions,
): Promise<ProviderCall | null> {
  try {
    return (await own?.(options)) ?? null;
  } catch (thrown) {
    if (options.abortSignal?.aborted === true) throw thrown;
    return null;
  }
}

/** The call under the near name, where its arguments fit that tool as they are. */
async function rename(options: RepairOptions, guard: Guard): Promise<ProviderCall | undefined> {
  const { toolCall, tools } = options;
  if (Object.hasOwn(tools, toolCall.toolName)) return undefined;
  const near = await nearName(toolCall.toolName, Object.keys(tools));
  if (near === undefined) return undefined;
  const call = { ...toolCall, toolName: near };
  const definition = await guard.definitions.get(near);
  if (definition === undefined) return undefined;
  const checked = await guard.contract.checkAsync(definition, toolCall.input);
  if (checked.status === "invalid") return undefined;
  const admission = await decide({ ...options, toolCall: call }, guard);
  if (admission.status !== "admitted") return undefined;
  const fields = { level: "info", tool_name: near, repairs: [] } as const;
  guard.logger({ ...fields, correlation_id: guard.conversationId }, "Tool name repaired");
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
