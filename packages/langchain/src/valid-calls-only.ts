import type { BaseMessage } from "@langchain/core/messages";
import { ToolContractError } from "@toolcontract/core";
import { checkContractCall } from "./guarded-run.ts";
import type { NativeCall } from "./messages.ts";
import { createGuard, type ToolContractOptions } from "./options.ts";
import { readCall } from "./read-call.ts";
import { isNamedTool, type NamedTool } from "./tool-definitions.ts";

/** The fields of a `humanInTheLoopMiddleware` request that are read. */
export interface ReviewRequest {
  /** The call to approve. */
  readonly toolCall: NativeCall;
  /** The state of the agent. */
  readonly state: { readonly messages: readonly BaseMessage[] };
}

/**
 * Returns a predicate for the `when` option of `humanInTheLoopMiddleware`: nobody is asked to approve an invalid call.
 *
 * @remarks Pass the agent's tools and the contract's options, because LangChain gives the predicate neither. A call of
 * a tool that is not in the list goes to the person.
 * @throws ToolContractError if an option is unknown or of the wrong type.
 * @example
 * ```ts
 * const when = validCallsOnly([weather]);
 * ```
 * @see packages/langchain/README.md
 */
export function validCallsOnly(
  tools: readonly (NamedTool | Readonly<Record<string, unknown>>)[],
  options: ToolContractOptions = {},
): (request: ReviewRequest) => Promise<boolean> {
  const { contract, definitions } = createGuard("validCallsOnly", options);
  if (!Array.isArray(tools)) {
    throw new ToolContractError("validCallsOnly: pass an array of the agent's tools.");
  }
  const named = (tools as readonly unknown[]).filter(isNamedTool);
  return async ({ toolCall, state }) => {
    const tool = named.find(({ name }) => name === toolCall.name);
    if (!tool) return true;
    const { messages } = state;
    const read = readCall({ call: toolCall, messages }, contract);
    const checked = await checkContractCall(read, definitions.of(tool), contract);
    return checked.status === "valid";
  };
}
