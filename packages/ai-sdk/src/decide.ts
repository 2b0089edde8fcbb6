import type { Admission, CheckResult, ToolDefinition } from "@toolcontract/core";
import { refusedWith } from "@toolcontract/core/adapter";
import type { Guard } from "./guard.ts";
import { checkedOf } from "./rejection-error.ts";
import { turnIdOf } from "./attempts.ts";
import type { ToolCallRepairFunction, ToolSet } from "ai";

const BLOCKED = refusedWith({
  errorCode: "VAL-016",
  message: "This tool is blocked until someone steps in",
});
const FORBIDDEN = refusedWith({
  errorCode: "VAL-004",
  message: "Invalid JSON",
  expectedValue: "one JSON object without the keys __proto__ and constructor.prototype",
});

/** The contract's decision on a call that the SDK refused, counted from the messages before it. */
export async function decide(
  { toolCall, tools, messages, error, abortSignal: signal }: RepairOptions,
  guard: Guard,
  known: CheckResult | undefined = checkedOf(error),
): Promise<Admission> {
  const { toolCallId: id, toolName: name, input } = toolCall;
  const { contract, conversationId, definitions } = guard;
  const call = { id, name, arguments: input };
  const attempts = guard.attempts.count(messages, name);
  const isActive = Object.hasOwn(tools, name);
  const tool = isActive || attempts.blocked ? await definitions.get(name) : undefined;
  const turnId = turnIdOf(messages);
  const context = { conversationId, attempts, turnId, ...(signal && { signal }) };
  if (tool === undefined) {
    // Only the names matter: core lists them.
    const names = Object.keys(tools).map((declared): ToolDefinition => ({ name: declared }));
    return contract.admit(call, { ...context, tools: names });
  }
  const admit = async (checked: CheckResult | undefined): Promise<Admission> =>
    contract.admit(call, { ...context, tool, ...(checked && { checked }) });
  if (hasForbiddenKeys(input)) return admit(FORBIDDEN);
  if (!isActive) {
    // It was taken off the list: even a valid call cannot run now.
    const checked = known ?? (await contract.checkAsync(tool, input));
    return admit(checked.status === "valid" ? BLOCKED : checked);
  }
  const admission = await admit(known);
  if (admission.status !== "admitted") return admission;
  // Repairing can bring to light what the text did not show.
  const isForbidden = hasForbiddenKeys(JSON.stringify(admission.input));
  return isForbidden ? admit(FORBIDDEN) : admission;
}

/** What the SDK hands to a repair function. */
export type RepairOptions = Parameters<ToolCallRepairFunction<ToolSet>>[0];

/** A tool call of the provider, its arguments as text. */
export type ProviderCall = RepairOptions["toolCall"];

const SUSPECT = /"(?:_|\\u005f|\\u0070|c|\\u0063)/i;

/**
 * Tells whether the SDK's parser refuses a text that JSON allows.
 *
 * It takes no object with an own `__proto__`, nor one whose `constructor` has a `prototype`.
 */
export function hasForbiddenKeys(text: string): boolean {
  if (!SUSPECT.test(text)) return false;
  try {
    return holdsForbiddenKey(JSON.parse(text));
  } catch {
    return false;
  }
}

function holdsForbiddenKey(root: unknown): boolean {
  const waiting = [root];
  // A loop, because the model decides how deep the value is nested.
  for (
    let value = waiting.pop();
    waiting.length > 0 || value !== undefined;
    value = waiting.pop()
  ) {
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
