import { countAttempts, resultMarker } from "@toolcontract/core";
import { contractFrom, oneOf, type WithContract } from "@toolcontract/core/adapter";
import type { MiniHook } from "./mini-framework.ts";
import { turnsFromMessages } from "./turns-from-messages.ts";

/** The adapter's own options; all others are the contract's. */
export interface AdapterOptions {
  /** Whether the loop continues when a tool's attempts are used up (default), or ends. */
  readonly escalate?: "continue" | "stop";
}

const OPTIONS = { escalate: oneOf("continue", "stop") };

/** Puts a contract around every tool call of an agent. */
export function withContract(options: WithContract<AdapterOptions> = {}): MiniHook {
  const contract = contractFrom("withContract", options, OPTIONS);
  const { scope } = contract.settings;
  return async (call, { thread, tools, messages, reply }, next) => {
    const turns = turnsFromMessages(messages);
    const declaredTools = new Set(tools.map(({ name }) => name));
    const isLast = reply.calls.at(-1) === call;
    const handled = await contract.handle(
      { id: call.id, name: call.tool, arguments: call.text },
      {
        tools: tools.map(({ name, schema }) => ({ name, inputSchema: schema })),
        conversationId: thread,
        turnId: String(turns.length),
        attempts: countAttempts(turns, call.tool, scope, { declaredTools }),
        // Output is cut at its end, so only the last call can be.
        ...(isLast && reply.stopped !== undefined && { finishReason: reply.stopped }),
        execute: next,
      },
    );
    const { content: text, isError: failed } = handled.result;
    const last = handled.status === "blocked" && options.escalate === "stop";
    return { callId: call.id, text, failed, last, meta: resultMarker(handled.result) };
  };
}
