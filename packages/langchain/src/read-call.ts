import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import { type CallContext, type Contract, countAttempts, type ToolCall } from "@toolcontract/core";
import { turnsFromMessages } from "./history.ts";
import { indexOfCall, orderOfCalls, parsedTextOf, unreadTextOf } from "./call-text.ts";
import {
  type CallingMessageAt,
  callingMessageOf,
  finishReasonOf,
  type NativeCall,
  turnIdOf,
} from "./messages.ts";
import { readShownArguments } from "./promote.ts";
import type { CallOrigin } from "./runs.ts";

/** A call, and the messages of its conversation. */
export interface CallInHistory {
  readonly call: NativeCall;
  /** Undefined if the host keeps no history. */
  readonly messages?: readonly BaseMessage[] | undefined;
  /** Absent if the call is only checked. */
  readonly origin?: CallOrigin;
  /** The names of the tools, if they are known: names that were meant count as theirs, and all others together. */
  readonly declaredTools?: ReadonlySet<string> | undefined;
}

/** A call as the contract takes it, with what the history says about it. */
export interface ContractCall {
  readonly call: ToolCall;
  readonly context: Pick<CallContext, "attempts" | "turnId" | "agentName" | "finishReason">;
  /** Whether the provider's client could not parse the arguments. */
  readonly isUnread: boolean;
  /** Whether nobody was asked about the call, because it was refused when it was made. */
  readonly isHeldBack: boolean;
}

/** Reads a call for the contract: the string the model sent, if the parsed value was guessed from it. */
export function readCall(
  { call, messages, origin, declaredTools }: CallInHistory,
  contract: Contract,
): ContractCall {
  const calling = messages && callingMessageOf(call, messages);
  const finishReason = calling && finishReasonAt(call, calling.message);
  const text = unreadText(call, calling?.message, contract, finishReason);
  const { id = "", name, args } = call;
  const parsedText = parsedTextOf(call, calling?.message);
  const given = {
    // The contract parses a string as JSON, so arguments that are a string are quoted.
    arguments: text ?? (typeof args === "string" ? JSON.stringify(args) : args),
    ...(text === undefined && parsedText !== undefined && { rawText: parsedText }),
  };
  const counted =
    calling && countedIn(messages, calling, { name, origin, declaredTools }, contract);
  return {
    call: { id, name, ...given },
    context: {
      ...counted,
      ...(calling?.message.name !== undefined && { agentName: calling.message.name }),
      ...(finishReason !== undefined && { finishReason }),
    },
    isUnread: text !== undefined,
    isHeldBack: call.toolcontract?.heldBack === true,
  };
}

/** Output is cut off at its end, so only the last call of a message can be affected. */
function finishReasonAt(call: NativeCall, message: AIMessage): string | undefined {
  const calls: readonly NativeCall[] = message.tool_calls ?? [];
  const last = orderOfCalls(message, calls).at(-1);
  const isLast = last !== undefined && last === indexOfCall(call, message);
  return isLast ? finishReasonOf(message) : undefined;
}

/**
 * The string the model sent, if it could not be parsed and nobody has replaced the arguments since; a person or other
 * middleware may have.
 *
 * A promoted call without arguments keeps its string, even if this contract would have repaired it.
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
  { message, index }: CallingMessageAt,
  {
    name,
    origin,
    declaredTools,
  }: { readonly origin: CallOrigin | undefined } & Pick<CallInHistory, "declaredTools"> &
    Pick<NativeCall, "name">,
  { settings }: Contract,
): Pick<CallContext, "attempts" | "turnId"> {
  // Those of the agent that made the call. Without the messages after it: the answers to parallel calls are not complete yet.
  const turns = turnsFromMessages(messages.slice(0, index + 1), message);
  return {
    attempts: countAttempts(turns, name, settings.scope, declaredTools ? { declaredTools } : {}),
    turnId: turnIdOf(message, origin),
  };
}
