import type { Admission, CheckResult, ToolDefinition } from "@toolcontract/core";
import { refusedWith } from "@toolcontract/core/adapter";
import { hasForbiddenKeys } from "./forbidden-keys.ts";
import type { Guard } from "./guard.ts";
import { checkedOf } from "./rejection-error.ts";
import type { RepairOptions } from "./repair-options.ts";
import { turnIdOf } from "./turn-id.ts";

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
