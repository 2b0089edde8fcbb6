import type { Admission, ToolDefinition, ValidationError } from "@toolcontract/core";
import { hasForbiddenKeys } from "./forbidden-keys.ts";
import type { Guard } from "./guard.ts";
import type { RepairOptions } from "./repair-options.ts";
import { sdkAccepts } from "./sdk-accepts.ts";
import { turnIdOf } from "./turn-id.ts";

const BLOCKED = wholeError("VAL-016", "This tool is blocked until someone steps in");
const REFUSED = wholeError("VAL-016", "The application refused these arguments");
const FORBIDDEN: ValidationError = {
  ...wholeError("VAL-004", "Invalid JSON"),
  expectedValue: "one JSON object without the keys __proto__ and constructor.prototype",
};

/** The contract's decision on a call that the SDK refused, counted from the messages before it. */
export async function decide(
  { toolCall, tools, messages, abortSignal: signal }: RepairOptions,
  guard: Guard,
): Promise<Admission> {
  const { toolCallId: id, toolName: name, input } = toolCall;
  const { contract, conversationId, definitions } = guard;
  const call = { id, name, arguments: input };
  const attempts = guard.attempts.count(messages, name);
  const isActive = Object.hasOwn(tools, name);
  const tool = isActive || attempts.blocked ? await definitions.get(name) : undefined;
  const context = {
    conversationId,
    attempts,
    turnId: turnIdOf(messages),
    ...(signal && { signal }),
  };
  if (tool === undefined) {
    // Only the names matter: core lists them.
    const known = Object.keys(tools).map((declared): ToolDefinition => ({ name: declared }));
    return contract.admit(call, { ...context, tools: known });
  }
  const refuse = async (error: ValidationError): Promise<Admission> =>
    contract.reject(call, [error], {
      conversationId,
      tool,
      // Blocked is one more than any limit.
      attempt: attempts.blocked ? Number.MAX_SAFE_INTEGER : attempts.failed + 1,
      history: attempts.history,
    });
  if (hasForbiddenKeys(input)) return refuse(FORBIDDEN);
  // It was taken off the list: even a valid call cannot run now.
  if (!isActive && (await contract.checkAsync(tool, input)).status === "valid")
    return refuse(BLOCKED);
  const admission = await contract.admit(call, { ...context, tool });
  if (admission.status !== "admitted") return admission;
  const mended = { toolName: name, input: JSON.stringify(admission.input) };
  if (await sdkAccepts(mended, tools)) return admission;
  return refuse(hasForbiddenKeys(mended.input) ? FORBIDDEN : REFUSED);
}

function wholeError(errorCode: ValidationError["errorCode"], message: string): ValidationError {
  return { errorCode, fieldPath: "", message, severity: "error" };
}
