import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import { type CallContext, type Contract, type ToolCall, countAttempts } from "@toolcontract/core";
import {
  type CallingMessage,
  type NativeCall,
  callingMessageOf,
  finishReasonOf,
  parsedTextOf,
  turnIdOf,
  unreadTextOf,
} from "./messages.ts";
import { readShownArguments } from "./promote.ts";
import { turnsFromMessages } from "./history.ts";

/** A call with the messages that the host has of its conversation. */
export interface CallInHistory {
  readonly call: NativeCall;
  /** None where the host keeps no history. */
  readonly messages?: readonly BaseMessage[] | undefined;
  /** The names of all tools, where the called one is none of them: its calls are then counted as one. */
  readonly declaredTools?: ReadonlySet<string> | undefined;
}

/** A call as core judges it, with what its history says of it. */
export interface JudgedCall {
  readonly call: ToolCall;
  readonly context: Pick<CallContext, "attempts" | "turnId" | "finishReason">;
  /** True where the call's text could not be read by the provider's client. */
  readonly isUnread: boolean;
}

/** Reads a call for core: its text rather than its value wherever the value was guessed from it. */
export function readCall(
  { call, messages, declaredTools }: CallInHistory,
  contract: Contract,
): JudgedCall {
  const calling = messages && callingMessageOf(call, messages);
  const finishReason = calling && finishReasonAt(call, calling.message);
  const text = unreadText(call, calling?.message, contract, finishReason);
  const { id = "", name, args } = call;
  const parsedText = calling && parsedTextOf(call.id, calling.message);
  const given = {
    // Core reads a text as JSON.
    arguments: text ?? (typeof args === "string" ? JSON.stringify(args) : args),
    ...(text === undefined && parsedText !== undefined && { rawText: parsedText }),
  };
  const counted = calling && countedIn(messages, calling, { name, declaredTools }, contract);
  return {
    call: { id, name, ...given },
    context: { ...counted, ...(finishReason !== undefined && { finishReason }) },
    isUnread: text !== undefined,
  };
}

/** Output is cut at its end, so only the last call of a message can be. */
function finishReasonAt({ id }: NativeCall, message: AIMessage): string | undefined {
  const isLast = id !== undefined && message.tool_calls?.at(-1)?.id === id;
  return isLast ? finishReasonOf(message) : undefined;
}

/**
 * A person or other middleware may have put arguments in place of the text; then those are judged.
 *
 * A promoted call without arguments has its text still, also where another contract would have repaired it.
 */
function unreadText(
  call: NativeCall,
  message: AIMessage | undefined,
  contract: Contract,
  finishReason: string | undefined,
): string | undefined {
  const text = unreadTextOf(call, message);
  if (text === undefined) return undefined;
  if (call.toolcontract && JSON.stringify(call.args) === "{}") return text;
  const shown = readShownArguments(text, contract, finishReason);
  return JSON.stringify(shown) === JSON.stringify(call.args) ? text : undefined;
}

function countedIn(
  messages: readonly BaseMessage[],
  { message, index }: CallingMessage,
  { name, declaredTools }: Pick<CallInHistory, "declaredTools"> & Pick<NativeCall, "name">,
  { settings }: Contract,
): Pick<CallContext, "attempts" | "turnId"> {
  // Without what came after it: the answers to parallel calls are not all there yet.
  const turns = turnsFromMessages(messages.slice(0, index + 1));
  return {
    attempts: countAttempts(turns, name, settings.scope, declaredTools ? { declaredTools } : {}),
    turnId: turnIdOf(message),
  };
}
