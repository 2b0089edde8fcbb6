import { AIMessage } from "@langchain/core/messages";
import { createRecentMap } from "@toolcontract/core/adapter";
import { checkContractCall, refuseContractCall } from "./guarded-run.ts";
import type { HookedRequest } from "./hooks.ts";
import { HELD_BACK } from "./host-errors.ts";
import type { NativeCall } from "./messages.ts";
import { turnIdOf } from "./messages.ts";
import type { MiddlewareGuard } from "./options.ts";
import { readCall } from "./read-call.ts";
import { originOfHook, runNameOf } from "./runs.ts";
import type { OpenCallText } from "./sendable-messages.ts";
import { anyTool, isNamedTool, namesOfTools } from "./tool-definitions.ts";

const MAX_KEPT = 1_000;

/** Says what the model reads of calls that were refused when they were made, and that no node has answered. */
export type HeldBackAnswers = (request: HookedRequest) => Promise<OpenCallText>;

/**
 * Creates the answers of one middleware. A person who rejects a call sends the run straight to the model, so its refused siblings never
 * reach the contract.
 */
export function createHeldBackAnswers(guard: MiddlewareGuard): HeldBackAnswers {
  // Each is refused once, although it is open in every later request.
  const texts = createRecentMap<string, string>(MAX_KEPT);
  return async (request) => {
    const { messages } = request.state;
    const answered = new Set(messages.map((one) => "tool_call_id" in one && one.tool_call_id));
    const open = new Map<NativeCall, string>();
    for (const [index, message] of messages.entries()) {
      if (!AIMessage.isInstance(message)) continue;
      const calls: readonly NativeCall[] = message.tool_calls ?? [];
      for (const call of calls) {
        if (call.toolcontract?.heldBack !== true || answered.has(call.id)) continue;
        const origin = originOfHook(guard, request.runtime);
        const key = JSON.stringify([
          runNameOf(origin),
          turnIdOf(message, origin),
          calls.indexOf(call),
        ]);
        const known = texts.get(key) ?? (await refuse(call, index, request));
        texts.set(key, known);
        open.set(call, known);
      }
    }
    return (call) => open.get(call);
  };

  async function refuse(
    call: NativeCall,
    index: number,
    { state, tools, runtime }: HookedRequest,
  ): Promise<string> {
    const { contract, definitions } = guard;
    const { signal } = runtime;
    const origin = originOfHook(guard, runtime);
    const named = (tools as readonly unknown[]).filter(isNamedTool);
    const found = named.find(({ name }) => name === call.name);
    const tool = found ? definitions.of(found) : anyTool(call.name);
    const messages = state.messages.slice(0, index + 1);
    const declaredTools = namesOfTools(tools);
    const read = readCall({ call, messages, origin, declaredTools }, contract);
    const judged = await checkContractCall(read, tool, contract, signal);
    const checked = judged.status === "valid" ? HELD_BACK : judged;
    const refused = await refuseContractCall(
      read,
      { tool, checked },
      { ...origin, signal },
      contract,
    );
    return refused.result.content;
  }
}
