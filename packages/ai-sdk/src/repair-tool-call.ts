import type { Admitted, CheckResult, Refused } from "@toolcontract/core";
import {
  errorClass,
  hasInexactNumbers,
  isObserving,
  jsonOrText,
  nearestName,
} from "@toolcontract/core/adapter";
import {
  asSchema,
  InvalidToolInputError,
  NoSuchToolError,
  type ToolCallRepairFunction,
  type ToolSet,
} from "ai";
import { decide, hasForbiddenKeys, type ProviderCall, type RepairOptions } from "./decide.ts";
import type { Guard } from "./guard.ts";
import { judgeMade, parsed } from "./made-calls.ts";
import { attachAnswer, checkedOf, setText, validationError } from "./rejection-error.ts";
import { stepFrom } from "./runs.ts";
import { release, writtenText } from "./step-model.ts";
import { inContextOf } from "./trace-refusals.ts";

const UNCHECKED = "This call could not be checked and did not run. Call the tool again.";

/**
 * Creates the function that the SDK calls for every tool call it could not parse, validate or find a tool for.
 *
 * It returns a repaired call, or puts the contract's text on the SDK's error and returns null: the SDK then answers
 * the model with that error.
 */
export function repairToolCallFor<TOOLS extends ToolSet>(
  guard: Guard,
  own: ToolCallRepairFunction<TOOLS> | undefined,
): ToolCallRepairFunction<TOOLS> {
  const repair = async (
    options: RepairOptions,
    { kept, checked }: { readonly kept: Error; readonly checked: CheckResult | undefined },
  ): Promise<ProviderCall | null> => {
    const { toolCall } = options;
    if (toolCall.providerExecuted === true) return null;
    const ask = own as ToolCallRepairFunction<ToolSet> | undefined;
    const repaired = await askOwnRepair(ask, options, guard);
    const isTaken =
      isObserving(guard.contract) || (repaired && (await isAccepted(repaired, options, guard)));
    if (repaired !== null && isTaken) return repaired;
    if (isObserving(guard.contract)) {
      const observed = await decide(options, guard, checked ?? checkedOf(kept));
      const isValid = observed.status === "admitted" && observed.observed === undefined;
      return isValid ? withInput(toolCall, observed, options, guard) : null;
    }
    const renamed = guard.repairNames ? await repairName(options, guard) : undefined;
    if (renamed) return renamed;
    const answer = await decide(options, guard, checked ?? checkedOf(kept));
    if (answer.status === "admitted") return withInput(toolCall, answer, options, guard);
    attachRefusal(kept, answer, guard);
    return null;
  };
  return async (given) => {
    const { checked } = release(given.toolCall) ?? {};
    const options = asOffered(given, checked);
    try {
      return await inContextOf(given.toolCall, async () =>
        repair(options, { kept: given.error, checked }),
      );
    } catch (thrown) {
      if (options.abortSignal?.aborted === true) throw thrown;
      // The SDK would quote what was thrown in its answer to the model.
      if (!isObserving(guard.contract)) setText(given.error, UNCHECKED);
      reportFault("admit", thrown, options, guard);
      return null;
    }
  };
}

/** What the SDK passes, as if it had itself found what was found, and knew which tools were dropped. */
function asOffered(given: RepairOptions, checked: CheckResult | undefined): RepairOptions {
  const toolCall = { ...given.toolCall, input: writtenText(given.toolCall.input) };
  const { toolName, input: toolInput } = toolCall;
  const { dropped } = stepFrom(given.messages);
  const tools = dropped.size === 0 ? given.tools : without(dropped, given.tools);
  const options = { ...given, toolCall, tools };
  if (dropped.has(toolName)) {
    const availableTools = Object.keys(tools);
    return { ...options, error: new NoSuchToolError({ toolName, availableTools }) };
  }
  if (checked?.status !== "invalid") return options;
  const cause = validationError(jsonOrText(toolInput), checked);
  return { ...options, error: new InvalidToolInputError({ toolName, toolInput, cause }) };
}

function without(dropped: ReadonlySet<string>, tools: ToolSet): ToolSet {
  const left = Object.entries(tools).filter(([name]) => !dropped.has(name));
  // No prototype: no tool is named `constructor`.
  return Object.assign(Object.create(null), Object.fromEntries(left)) as ToolSet;
}

/** Calls the user's repair function. If it throws, nothing was repaired; only a cancelled run rethrows. */
async function askOwnRepair(
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

/** Whether a call that the application repaired may run. */
async function isAccepted(
  call: ProviderCall,
  { tools, messages }: RepairOptions,
  guard: Guard,
): Promise<boolean> {
  if (!(await sdkAccepts(call, tools))) return false;
  const judged = await judgeMade(call, stepFrom(messages), guard);
  return judged?.status !== "invalid";
}

/**
 * Whether the SDK will accept a repaired call.
 *
 * @remarks The SDK asks once: it answers a call it does not accept with its own text, which quotes every argument.
 */
async function sdkAccepts(
  { toolName, input }: { readonly toolName: string; readonly input: string },
  tools: ToolSet,
): Promise<boolean> {
  const tool = Object.hasOwn(tools, toolName) ? tools[toolName] : undefined;
  if (tool === undefined || hasForbiddenKeys(input) || hasInexactNumbers(input)) return false;
  const value = parsed(input);
  if (value === undefined) return false;
  try {
    const validation = await asSchema(tool.inputSchema).validate?.(value);
    return validation?.success ?? true;
  } catch {
    return false;
  }
}

/** The call under the near name, if its arguments fit that tool unchanged. */
async function repairName(options: RepairOptions, guard: Guard): Promise<ProviderCall | undefined> {
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
  return withInput(call, admission, options, guard);
}

function withInput(
  toolCall: ProviderCall,
  admission: Admitted,
  { messages }: RepairOptions,
  guard: Guard,
): ProviderCall {
  const step = stepFrom(messages);
  step.judged.set(toolCall.toolCallId, "accepted");
  guard.recent.admit(toolCall.toolCallId, admission, step.run);
  return { ...toolCall, input: JSON.stringify(admission.input) };
}

function attachRefusal(error: Error, answer: Refused, guard: Guard): void {
  guard.recent.reject(answer.result);
  attachAnswer(setText(error, answer.result.content), answer);
}

/** Logs the class of what was thrown, never its message, which may quote the arguments. */
function reportFault(
  stage: string,
  thrown: unknown,
  { toolCall: { toolName }, tools }: RepairOptions,
  guard: Guard,
): void {
  const fields = { level: "warn", stage, error_class: errorClass(thrown) } as const;
  // An unknown name is model output, so it is not logged.
  const named = Object.hasOwn(tools, toolName) && { tool_name: toolName };
  const correlation_id = guard.conversationId;
  guard.contract.settings.log({ ...fields, ...named, correlation_id }, "Tool contract degraded");
}
