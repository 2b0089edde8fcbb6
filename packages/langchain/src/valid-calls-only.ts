import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import { ToolContractError } from "@toolcontract/core";
import { isObserving } from "@toolcontract/core/adapter";
import { checkContractCall } from "./guarded-run.ts";
import type { HookedRequest } from "./hooks.ts";
import type { NativeCall } from "./messages.ts";
import type { MiddlewareGuard } from "./options.ts";
import { readCall } from "./read-call.ts";
import { rewriteMessage } from "./rewrite-message.ts";
import { originOfHook } from "./runs.ts";
import { isNamedTool, type NamedTool, namesOfTools } from "./tool-definitions.ts";

/** The fields of a `humanInTheLoopMiddleware` request that are read. */
export interface ReviewRequest {
  /** The call to approve. */
  readonly toolCall: NativeCall;
  /** The state of the agent. */
  readonly state: { readonly messages: readonly BaseMessage[] };
}

/** The tools about whose invalid calls nobody is asked. */
const reviewed = new WeakSet<object>();

/**
 * Returns a predicate for the `when` option of `humanInTheLoopMiddleware`: nobody is asked to approve an invalid call.
 *
 * @remarks Pass the agent's tools. `toolContractMiddleware` judges their calls when the model makes them, and marks those that it refuses;
 * a marked call never runs, even if it would be valid by then. A person is asked about all others, also if no
 * contract has judged them.
 * @throws ToolContractError if the tools are not a list.
 * @example
 * ```ts
 * const when = validCallsOnly([weather]);
 * ```
 * @see packages/langchain/README.md
 */
export function validCallsOnly(
  tools: readonly (NamedTool | Readonly<Record<string, unknown>>)[],
): (request: ReviewRequest) => Promise<boolean> {
  if (!Array.isArray(tools)) {
    throw new ToolContractError("validCallsOnly: pass an array of the agent's tools.");
  }
  for (const tool of (tools as readonly unknown[]).filter(isNamedTool)) reviewed.add(tool);
  return async ({ toolCall }) => toolCall.toolcontract?.heldBack !== true;
}

/**
 * Marks the calls that the contract refuses, if a person would be asked about them. The mark is stored with the message: who decides
 * whether to ask and who runs the call may be different processes.
 */
export async function withHeldBack(
  message: AIMessage,
  { tools, state, runtime }: HookedRequest,
  guard: MiddlewareGuard,
): Promise<AIMessage> {
  if (isObserving(guard.contract)) return message;
  const calls: readonly NativeCall[] = message.tool_calls ?? [];
  const messages = [...state.messages, message];
  const origin = originOfHook(guard, runtime);
  const declaredTools = namesOfTools(tools);
  const named = (tools as readonly unknown[]).filter(isNamedTool);
  const marked = await Promise.all(
    calls.map(async (call): Promise<NativeCall> => {
      const tool = named.find(({ name }) => name === call.name);
      if (tool === undefined || !reviewed.has(tool)) return call;
      const read = readCall({ call, messages, origin, declaredTools }, guard.contract);
      const definition = guard.definitions.of(tool);
      const checked = await checkContractCall(read, definition, guard.contract, runtime.signal);
      if (checked.status === "valid") return call;
      return { ...call, toolcontract: { ...call.toolcontract, heldBack: true } };
    }),
  );
  if (marked.every((call, at) => call === calls[at])) return message;
  return rewriteMessage(
    message,
    marked.map((call, from) => ({ from, call: { ...call, id: call.id ?? "" } })),
  );
}
