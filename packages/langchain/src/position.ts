import type { BaseMessage } from "@langchain/core/messages";
import { isRecord, jsonEqual } from "@toolcontract/core/adapter";
import { callingMessageOf, type NativeCall, turnIdOf } from "./messages.ts";
import { type CallOrigin, runNameOf, taskOf } from "./runs.ts";

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
  if (equal === undefined || equal.length === 0) return undefined;
  if (equal.length === 1) return 0;
  const own = equal.findIndex(({ args }) => args === call.args);
  return own === -1 ? taskIn(config) : own;
}

/**
 * Names the message of a call, so that it is the same one in a node that is restarted; undefined if the message is not known.
 *
 * @remarks A message without an id is another object when it comes from a checkpoint: its node is the same.
 */
export function turnOf(
  call: NativeCall,
  messages: readonly BaseMessage[] | undefined,
  origin: CallOrigin,
  config: unknown,
): string | undefined {
  const { message } = (messages && callingMessageOf(call, messages)) ?? {};
  const isOfMessage = message?.tool_calls?.some(
    ({ id, name }) => id === call.id && name === call.name,
  );
  if (message === undefined || isOfMessage !== true) return undefined;
  const { name } = taskOf(config);
  const isNamed = message.id !== undefined || origin.conversationId === undefined;
  return isNamed || typeof name !== "string" ? turnIdOf(message, origin) : `task ${name}`;
}

/** Names a call of a message; undefined if its conversation or its message is not known. */
export function nameOfCall(
  { id, name, args }: NativeCall,
  origin: CallOrigin,
  turnId: string | undefined,
  position: number | undefined,
): string | undefined {
  const run = runNameOf(origin);
  if (run === undefined || turnId === undefined) return undefined;
  return JSON.stringify([run, turnId, id, name, args, position]);
}

/** The number of a task among those that were sent with it. LangGraph's own: if it changes, equal calls are taken for one. */
function taskIn(config: unknown): number | undefined {
  const metadata = isRecord(config) ? config["metadata"] : undefined;
  const path = isRecord(metadata) ? metadata["langgraph_path"] : undefined;
  const last: unknown = Array.isArray(path) ? path.at(-1) : undefined;
  return typeof last === "number" ? last : undefined;
}
