import type { BaseMessage } from "@langchain/core/messages";
import { isRecord, jsonEqual } from "@toolcontract/core/adapter";
import { callingMessageOf, type NativeCall } from "./messages.ts";

/**
 * Tells a call apart from those of its message that have the same id, name and arguments: some providers repeat ids. `ToolNode` passes
 * on the arguments of the message as the same object, and an agent sends each call to a task of its own.
 *
 * @param config - The configuration in which the call is made.
 */
export function positionOf(
  call: NativeCall,
  messages: readonly BaseMessage[] | undefined,
  config: unknown,
): number | undefined {
  const { message } = (messages && callingMessageOf(call, messages)) ?? {};
  const equal = message?.tool_calls?.filter(
    ({ id, name, args }) => id === call.id && name === call.name && jsonEqual(args, call.args),
  );
  if (equal === undefined || equal.length < 2) return undefined;
  const own = equal.findIndex(({ args }) => args === call.args);
  return own === -1 ? taskIn(config) : own;
}

/** The number of a task among those that were sent with it. LangGraph's own: if it changes, equal calls are taken for one. */
function taskIn(config: unknown): number | undefined {
  const metadata = isRecord(config) ? config["metadata"] : undefined;
  const path = isRecord(metadata) ? metadata["langgraph_path"] : undefined;
  const last: unknown = Array.isArray(path) ? path.at(-1) : undefined;
  return typeof last === "number" ? last : undefined;
}
