import type { AIMessage } from "@langchain/core/messages";
import { isRecord, parseJson } from "@toolcontract/core/adapter";
import type { NativeCall } from "./messages.ts";
import {
  type CallEntry,
  chatCalls,
  contentCalls,
  outputItems,
  pairCalls,
  streamedCalls,
  valueOf,
} from "./sent-calls.ts";

/** A call of a message, with the string that the model sent if the message has it. */
export interface CallInMessage extends CallEntry {
  readonly id: string | undefined;
  readonly name: string | undefined;
  /** The call as a client parsed it; absent if none could. */
  readonly parsed?: NativeCall;
  /** The streamed text, which a client completes before it parses it. */
  readonly streamed?: string | undefined;
}

/** The places of a message that may have the text of a call. Blocks of content may have a part of it. */
const TEXTS = [streamedCalls, chatCalls, outputItems];

/** The calls of a message: those that a client parsed, then those that it could not. */
export function callsIn(message: AIMessage): readonly CallInMessage[] {
  const parsed: readonly NativeCall[] = message.tool_calls ?? [];
  const unparsed = message.invalid_tool_calls ?? [];
  const isMirror = ({ id, args = "" }: (typeof unparsed)[number]): boolean =>
    parsed.some((call) => call.id === id && call.toolcontract?.rawText === args);
  const calls: readonly CallInMessage[] = [
    ...parsed.map((call) => ({ id: call.id, name: call.name, args: call.args, parsed: call })),
    ...unparsed
      .filter((call) => !isMirror(call))
      .map(({ id, name, args = "" }) => ({ id, name, args })),
  ];
  const streamed = textsFrom(streamedCalls(message), calls);
  return calls.map((call, at) => ({ ...call, streamed: streamed[at] }));
}

/** The positions of a message's calls in the order in which the model made them: others put those that need a person last. */
export function orderOfCalls(message: AIMessage, calls: readonly CallEntry[]): readonly number[] {
  const all = calls.map((_, at) => at);
  const found = [...TEXTS, contentCalls]
    .map((read) => pairCalls(calls, read(message)).filter((at) => at !== undefined))
    .find((order) => order.length === calls.length);
  return found ?? all;
}

function textsFrom(
  entries: readonly CallEntry[],
  calls: readonly CallEntry[],
): readonly (string | undefined)[] {
  const texts = calls.map((): string | undefined => undefined);
  for (const [at, index] of pairCalls(calls, entries).entries()) {
    const args = entries[at]?.args;
    if (index !== undefined && typeof args === "string") texts[index] = args;
  }
  return texts;
}

/** The position of a call in the message that made it; -1 if it is not there. */
export function indexOfCall(call: NativeCall, { tool_calls = [] }: AIMessage): number {
  const made: readonly NativeCall[] = tool_calls;
  const same = (id: string | undefined): string => id ?? "";
  const all = made.flatMap((one, at) => (same(one.id) === same(call.id) ? [at] : []));
  const fits: readonly ((one: NativeCall) => boolean)[] = [
    (one) => one === call || (isRecord(one.args) && one.args === call.args),
    (one) => one.name === call.name && valueOf(one) === valueOf(call),
    (one) => one.name === call.name,
  ];
  const [first = -1] = all;
  if (all.length < 2) return first;
  const found = fits.map((fit) => all.find((at) => fit(made[at] as NativeCall)));
  return found.find((at) => at !== undefined) ?? first;
}

/** Whether no client can have parsed this string to arguments: it is not a JSON object. An empty one means no arguments. */
function isUnreadText(text: string): boolean {
  return text.trim() !== "" && !isRecord(parseJson(text));
}

/** Whether the arguments of a call only stand in for a string that no client could parse. */
export function isUnread({ toolcontract }: Pick<NativeCall, "toolcontract">): boolean {
  const { rawText } = toolcontract ?? {};
  return rawText !== undefined && isUnreadText(rawText);
}

/** The arguments of a call as a string, if the provider's client could not parse them. */
export function unreadTextOf(call: NativeCall, message: AIMessage | undefined): string | undefined {
  const text = keptTextOf(call, message);
  return text !== undefined && isUnreadText(text) ? text : undefined;
}

/** The string that a promoted call keeps, or its message for it. */
function keptTextOf(call: NativeCall, message: AIMessage | undefined): string | undefined {
  const own = call.toolcontract?.rawText;
  if (typeof own === "string" || message === undefined) return own;
  const made: NativeCall | undefined = message.tool_calls?.[indexOfCall(call, message)];
  if (made?.toolcontract?.rawText !== undefined) return made.toolcontract.rawText;
  // Other middleware may have rebuilt the call without fields that it does not know.
  const unparsed = message.invalid_tool_calls ?? [];
  return call.id
    ? unparsed.find((one) => one.id === call.id && one.name === call.name)?.args
    : undefined;
}

/** The string that the model sent for a call which a client parsed, if the call or its message still has it. */
export function parsedTextOf(call: NativeCall, message: AIMessage | undefined): string | undefined {
  const own = keptTextOf(call, message);
  if (own !== undefined && !isUnreadText(own)) return own;
  if (message === undefined) return undefined;
  const at = indexOfCall(call, message);
  const calls: readonly NativeCall[] = message.tool_calls ?? [];
  const texts = TEXTS.map((read) => textsFrom(read(message), calls)[at]);
  return texts.find((text) => text !== undefined);
}
