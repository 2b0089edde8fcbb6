import {
  type AIMessage,
  type BaseMessage,
  isAIMessage,
  type ToolMessage,
} from "@langchain/core/messages";
import type { ToolRunnableConfig } from "@langchain/core/tools";
import { ToolContractError } from "@toolcontract/core";
import { isObserving, isRecord } from "@toolcontract/core/adapter";
import { observeContractCall, refuseContractCall } from "./guarded-run.ts";
import { rejectionMessage } from "./history.ts";
import type { NativeCall } from "./messages.ts";
import { createGuard, type Guard, type ToolContractOptions } from "./options.ts";
import { withOldIdsRenamed } from "./old-ids.ts";
import { readCall } from "./read-call.ts";
import { originOfTool } from "./runs.ts";
import { namesOfTools, type NamedTool } from "./tool-definitions.ts";

/** A node that runs the tool calls of the last AI message, and leaves out those that are answered: a `ToolNode`. */
export interface ToolRunner<TState, TResult> {
  /** The tools that it has. */
  readonly tools: readonly NamedTool[];
  /** Runs the calls of the last AI message. */
  invoke(state: TState, config?: never): Promise<TResult>;
}

/**
 * Answers the calls of tools that a graph does not have, with the name that was meant, and leaves all others to its `ToolNode`. The
 * result is the function of a node.
 *
 * @remarks `ToolNode` looks a tool up by its name and answers an unknown one before any tool is reached, so `wrapTools` cannot.
 * Pass the `contract` that the tools were wrapped with, or the same options.
 * @throws ToolContractError if the node has no tools, or an option is of the wrong type.
 * @example
 * ```ts
 * const answering = answerUnknownTools(new ToolNode([weather]));
 * ```
 * @see packages/langchain/README.md
 */
export function answerUnknownTools<TState, TResult>(
  node: ToolRunner<TState, TResult>,
  options: ToolContractOptions = {},
): (state: TState, config?: ToolRunnableConfig) => Promise<TResult> {
  const guard = createGuard("answerUnknownTools", options);
  if (!Array.isArray((node as unknown as { readonly tools?: unknown } | undefined)?.tools)) {
    throw new ToolContractError(
      "answerUnknownTools: pass the node that runs the tools, such as new ToolNode(wrapTools(tools)).",
    );
  }
  return async (state, config) => {
    const given = messagesOfState(state);
    const messages = given && withOldIdsRenamed(given);
    const calls = messages ? unknownCalls(messages, namesOfTools(node.tools)) : [];
    if (messages === undefined || (calls.length === 0 && messages === given))
      return node.invoke(state, config as never);
    if (isObserving(guard.contract)) {
      for (const call of calls) await observeUnknown({ call, messages, config, node }, guard);
      return node.invoke(state, config as never);
    }
    const answers = await Promise.all(
      calls.map(async (call) => refuseUnknownTool({ call, messages, config, node }, guard)),
    );
    const answered = [...messages, ...answers];
    const rest = Array.isArray(state) ? answered : { ...state, messages: answered };
    return withAnswers(await node.invoke(rest as TState, config as never), answers) as TResult;
  };
}

function messagesOfState(state: unknown): readonly BaseMessage[] | undefined {
  const messages = isRecord(state) ? state["messages"] : state;
  return Array.isArray(messages) ? (messages as readonly BaseMessage[]) : undefined;
}

/** The calls of the last AI message that name no tool, and have an id to answer them by. */
function unknownCalls(
  messages: readonly BaseMessage[],
  known: ReadonlySet<string>,
): readonly NativeCall[] {
  const last = messages.findLast((message): message is AIMessage => isAIMessage(message));
  return (last?.tool_calls ?? []).filter(({ id, name }) => id && !known.has(name));
}

interface UnknownCall {
  readonly call: NativeCall;
  readonly messages: readonly BaseMessage[];
  readonly config: ToolRunnableConfig | undefined;
  readonly node: Pick<ToolRunner<never, never>, "tools">;
}

async function refuseUnknownTool(unknown: UnknownCall, guard: Guard): Promise<ToolMessage> {
  const { read, tools, where } = placeOf(unknown, guard);
  return rejectionMessage(
    { call: unknown.call },
    await refuseContractCall(read, { tools }, where, guard.contract),
  );
}

async function observeUnknown(unknown: UnknownCall, guard: Guard): Promise<void> {
  const { read, tools, where } = placeOf(unknown, guard);
  await observeContractCall(read, { tools }, where, guard.contract);
}

function placeOf({ call, messages, config, node }: UnknownCall, guard: Guard) {
  const origin = originOfTool(guard, config, call.args);
  const declaredTools = namesOfTools(node.tools);
  const read = readCall({ call, messages, origin, declaredTools }, guard.contract);
  const tools = [...declaredTools].map((name) => ({ name }));
  return { read, tools, where: { ...origin, signal: config?.signal } };
}

/** What the node returned, with these messages before it: an array, a state, or a list with commands. */
function withAnswers(result: unknown, answers: readonly ToolMessage[]): unknown {
  if (isRecord(result) && Array.isArray(result["messages"])) {
    return { ...result, messages: [...answers, ...(result["messages"] as readonly unknown[])] };
  }
  if (!Array.isArray(result)) return result;
  const isUpdates = result.some((one) => isRecord(one) && !("content" in one));
  return isUpdates
    ? [{ messages: answers }, ...(result as readonly unknown[])]
    : [...answers, ...(result as readonly unknown[])];
}
