import type { BaseMessage } from "@langchain/core/messages";
import { ToolContractError } from "@toolcontract/core";
import { checkCall } from "./guarded-run.ts";
import { type ToolContractOptions, createGuard } from "./options.ts";
import { readCall } from "./read-call.ts";
import type { NativeCall } from "./messages.ts";
import { type NamedTool, isNamedTool } from "./tool-definitions.ts";

/** A request of humanInTheLoopMiddleware, as far as it is read. */
export interface ReviewRequest {
  readonly toolCall: NativeCall;
  readonly state: { readonly messages: readonly BaseMessage[] };
}

/**
 * The predicate for `when` of humanInTheLoopMiddleware: nobody is asked to approve a call that is not valid.
 *
 * @remarks Pass the tools and options that the agent and its contract have: the predicate is told of neither, and a
 * person is asked for calls of a tool that it does not know.
 * @throws ToolContractError where an option is unknown or of the wrong kind.
 */
export function validCallsOnly(
  tools: readonly (NamedTool | Readonly<Record<string, unknown>>)[],
  options: ToolContractOptions = {},
): (request: ReviewRequest) => Promise<boolean> {
  const { contract, definitions } = createGuard("validCallsOnly", options);
  if (!Array.isArray(tools)) {
    throw new ToolContractError("validCallsOnly: pass the list of the agent's tools.");
  }
  const named = (tools as readonly unknown[]).filter(isNamedTool);
  return async ({ toolCall, state }) => {
    const tool = named.find(({ name }) => name === toolCall.name);
    if (!tool) return true;
    const { messages } = state;
    const judged = readCall({ call: toolCall, messages }, contract);
    const checked = await checkCall(judged, definitions.of(tool), contract);
    return checked.status === "valid";
  };
}
