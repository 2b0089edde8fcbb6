import type { Admission, CallContext, CheckResult, ToolDefinition } from "@toolcontract/core";
import { blockedTool, isToolClosed, refusedWith } from "@toolcontract/core/adapter";
import type { ToolCallRepairFunction, ToolSet } from "ai";
import type { Guard } from "./guard.ts";
import { placeIn } from "./runs.ts";
import { siblingCaller } from "./sibling-call.ts";

/** What the SDK passes to a repair function. */
export type RepairOptions = Parameters<ToolCallRepairFunction<ToolSet>>[0];

/** A tool call as the provider sent it, with its arguments as a string. */
export type ProviderCall = RepairOptions["toolCall"];

const FORBIDDEN = refusedWith({
  errorCode: "VAL-004",
  message: "Invalid JSON",
  expectedValue: "one JSON object without the keys __proto__ and constructor.prototype",
});

/** Decides on a call that the SDK refused; attempts are counted from the messages before it. */
export async function decide(
  { toolCall, tools, messages, abortSignal: signal }: RepairOptions,
  guard: Guard,
  checkedBefore: CheckResult | undefined,
): Promise<Admission> {
  const { toolCallId: id, toolName: name, input } = toolCall;
  const { contract, definitions } = guard;
  const call = { id, name, arguments: input };
  const own = guard.attempts.count(messages, name);
  const isActive = Object.hasOwn(tools, name);
  const tool = isActive || isToolClosed(own) ? await definitions.get(name) : undefined;
  const unavailable = tool === undefined ? unavailableTool(name, Object.keys(tools), guard) : {};
  const attempts = unavailable.unavailable ? guard.attempts.countUnknown(messages) : own;
  const declared = Object.hasOwn(guard.tools, name) ? guard.tools[name] : undefined;
  const context = {
    ...placeIn(messages, guard),
    attempts,
    ...(declared && { runsHere: declared.execute !== undefined }),
    callTool: siblingCaller(guard.tools, { toolCallId: id, messages }),
    ...(signal && { signal }),
  };
  if (tool === undefined) {
    // Core lists the names only.
    const names = Object.keys(tools).map((known): ToolDefinition => ({ name: known }));
    return contract.admit(call, { ...context, ...unavailable, tools: names });
  }
  const admit = async (checked: CheckResult | undefined): Promise<Admission> =>
    contract.admit(call, { ...context, tool, ...(checked && { checked }) });
  if (hasForbiddenKeys(input)) return admit(FORBIDDEN);
  if (!isActive) {
    // The tool was dropped from the list, so even a valid call cannot run.
    const checked = checkedBefore ?? (await contract.checkAsync(tool, input));
    return admit(checked.status === "valid" ? blockedTool() : checked);
  }
  const admission = await admit(checkedBefore);
  if (admission.status !== "admitted") return admission;
  // Repaired JSON can contain keys that could not be seen in the malformed text.
  const isForbidden = hasForbiddenKeys(JSON.stringify(admission.input));
  return isForbidden ? admit(FORBIDDEN) : admission;
}

// The SDK's own mark.
const SEARCH = Symbol.for("vercel.ai.toolSearch");

/** What is known of a tool that was declared, if the model is not offered it in this step. */
function unavailableTool(
  name: string,
  offered: readonly string[],
  { tools }: Guard,
): Pick<CallContext, "unavailable"> {
  const declared = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (declared === undefined) return {};
  const isDeferred = "deferLoading" in declared && declared.deferLoading;
  const finder = offered.find((one) => one in tools && SEARCH in Object(tools[one]));
  return { unavailable: isDeferred && finder !== undefined ? { foundWith: finder } : {} };
}

// The start of a key that may read `__proto__` or `constructor`, escaped or not.
const SUSPECT = /"(?:_|\\u005f|\\u0070|c|\\u0063)/i;

/**
 * Whether the SDK's parser refuses this valid JSON: it accepts no object with its own `__proto__`, nor one whose
 * `constructor` has a `prototype`.
 */
export function hasForbiddenKeys(text: string): boolean {
  if (!SUSPECT.test(text)) return false;
  try {
    return containsForbiddenKey(JSON.parse(text));
  } catch {
    return false;
  }
}

function containsForbiddenKey(root: unknown): boolean {
  // A loop, not recursion: the model decides how deep the value is nested.
  const waiting = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== "object" || value === null) continue;
    if (Object.hasOwn(value, "__proto__")) return true;
    if (Object.hasOwn(value, "constructor")) {
      const own: unknown = (value as { readonly constructor: unknown }).constructor;
      if (typeof own === "object" && own !== null && Object.hasOwn(own, "prototype")) return true;
    }
    for (const child of Object.values(value)) {
      if (typeof child === "object" && child !== null) waiting.push(child);
    }
  }
  return false;
}
