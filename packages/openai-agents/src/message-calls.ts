import { RunState } from "@openai/agents";
import { hasInexactNumbers, jsonEqual } from "@toolcontract/core/adapter";
import type { CallItem } from "./sdk.ts";

/** From 0.15 on the SDK does not run a call that comes again as it was; older versions know no such thing. */
const SKIPS_REPEATS = "_observeToolInvocation" in RunState.prototype;

/** The name of a call as the SDK shows it: with its namespace, which is the name itself if a search loads the tool. */
export function fullName({
  name,
  namespace,
}: {
  readonly name: string;
  readonly namespace?: string | undefined;
}): string {
  return namespace && namespace !== name ? `${namespace}.${name}` : name;
}

/**
 * The calls of a message that the provider sent before, as they are now: earlier in the message, or among those that are `answered`. The
 * SDK will not run them.
 *
 * @param sent - A call as the provider sent it, before it was rewritten.
 * @returns Each with the call that it repeats.
 */
export function repeatedCalls(
  calls: readonly CallItem[],
  answered: readonly CallItem[],
  sent: (call: CallItem) => Pick<CallItem, "callId" | "arguments">,
): ReadonlyMap<CallItem, CallItem> {
  const repeated = new Map<CallItem, CallItem>();
  const earlier = new Map<string, CallItem[]>();
  const keep = (id: string, call: CallItem): void => {
    const same = earlier.get(id);
    if (same) same.push(call);
    else earlier.set(id, [call]);
  };
  for (const call of SKIPS_REPEATS ? answered : []) {
    keep(call.callId, call);
    keep(sent(call).callId, call);
  }
  for (const call of SKIPS_REPEATS ? calls : []) {
    const first = earlier.get(call.callId)?.find((other) => isSameCall(call, other, sent(other)));
    if (first && call.callId !== "") repeated.set(call, first);
    else keep(call.callId, call);
  }
  return repeated;
}

function isSameCall(call: CallItem, other: CallItem, sent: Pick<CallItem, "arguments">): boolean {
  if (fullName(call) !== fullName(other) || callerOf(call) !== callerOf(other)) return false;
  if (call.arguments === sent.arguments || call.arguments === other.arguments) return true;
  // The SDK compares numbers as they are written.
  return sameArguments(other.arguments, call.arguments) && !hasInexactNumbers(call.arguments);
}

/** Makes a call the one that it repeats: the SDK knows it again by all of this. */
export function repeat(
  call: CallItem,
  { callId, name, namespace, arguments: args }: CallItem,
): void {
  Object.assign(call, { callId, name, arguments: args, ...(namespace && { namespace }) });
}

/** The program that makes a call in the provider's sandbox; undefined for the model. */
function callerOf({ caller }: CallItem): string | undefined {
  return caller?.type === "program" ? caller.callerId : undefined;
}

/** Whether arguments, as JSON or parsed, are those of this JSON. */
export function sameArguments(text: string, args: unknown): boolean {
  if (text === args) return true;
  try {
    return jsonEqual(JSON.parse(text), typeof args === "string" ? JSON.parse(args) : args);
  } catch {
    return false;
  }
}

/** Models may repeat an id or leave it out; the runner finds a call by it, and so does the contract. */
export function renameCalls(calls: readonly CallItem[], isTaken: (id: string) => boolean): void {
  const seen = new Set<string>();
  for (const call of calls) {
    const { callId } = call;
    if (callId === "" || seen.has(callId) || isTaken(callId)) {
      call.callId = `call_${globalThis.crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
    }
    seen.add(call.callId);
  }
}
