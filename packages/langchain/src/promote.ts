import { AIMessage } from "@langchain/core/messages";
import { type Contract, createContract } from "@toolcontract/core";
import { isJson, isObserving, isRecord } from "@toolcontract/core/adapter";
import { type CallInMessage, callsIn, isUnread, orderOfCalls } from "./call-text.ts";
import { finishReasonOf, type NativeCall } from "./messages.ts";
import { rewriteMessage, type ShownArguments } from "./rewrite-message.ts";
import { anyTool } from "./tool-definitions.ts";

/**
 * Options of `promoteInvalidToolCalls`.
 *
 * @example
 * ```ts
 * const options: PromoteOptions = { contract: createContract() };
 * ```
 * @see packages/langchain/README.md
 */
export interface PromoteOptions {
  /** The contract that will validate the calls; it decides how far malformed JSON is repaired. */
  readonly contract?: Contract;
}

let defaultContract: Contract | undefined;

/**
 * Turns calls that a client could not parse into ordinary tool calls, so that they are routed, answered and sent back
 * to the provider like all others. Each streamed call keeps the string that the model sent, which is validated before anything runs,
 * and each of several calls with one id gets an id of its own.
 *
 * A message that needs nothing of it is returned unchanged.
 *
 * @remarks Call it where the model answers: states of LangGraph keep nothing of a stream but the parsed calls.
 * @example
 * ```ts
 * const promoted = promoteInvalidToolCalls(answer);
 * ```
 * @see packages/langchain/README.md
 */
export function promoteInvalidToolCalls(
  message: AIMessage,
  { contract = (defaultContract ??= createContract()) }: PromoteOptions = {},
): AIMessage {
  // A contract that only observes leaves them to the framework.
  if (isObserving(contract)) return message;
  const calls = callsIn(message);
  const order = orderOfCalls(message, calls);
  const ids = new Set<string>();
  const rewritten = order.map((from, position) => {
    const given = calls[from] as CallInMessage;
    const id = unusedId(given.id, ids);
    // Output is cut off at its end, so only the last call of a message can be affected.
    const reason = position === order.length - 1 ? finishReasonOf(message) : undefined;
    return { from, call: { ...promote(given, contract, reason), id } };
  });
  const isSame = rewritten.every(({ from, call }) => {
    const parsed = calls[from]?.parsed;
    return parsed?.id === call.id && parsed.toolcontract === call.toolcontract;
  });
  return isSame ? message : rewriteMessage(message, rewritten);
}

/** Whether a message has a call whose arguments are not JSON. */
export function hasUnreadCall(message: AIMessage): boolean {
  return callsIn(message).some(
    (call) => call.parsed === undefined || isUnread(call.parsed) || isGuessed(call),
  );
}

/** Whether a client completed the arguments of a call by guessing. */
function isGuessed({ parsed, streamed }: CallInMessage): boolean {
  if (streamed === undefined || parsed?.toolcontract?.rawText !== undefined) return false;
  return streamed.trim() !== "" && !isJson(streamed);
}

/** The call as an ordinary one that keeps the string which was streamed, or which no client could parse. */
function promote(call: CallInMessage, contract: Contract, finishReason?: string): NativeCall {
  const { parsed, streamed, name, args } = call;
  if (parsed && !isGuessed(call)) {
    if (streamed === undefined || parsed.toolcontract?.rawText !== undefined) return parsed;
    return { ...parsed, toolcontract: { ...parsed.toolcontract, rawText: streamed } };
  }
  const text = streamed ?? (typeof args === "string" ? args : "");
  return {
    // Providers reject a call without a name.
    name: name === undefined || name === "" ? "unknown" : name,
    args: readShownArguments(text, contract, finishReason),
    toolcontract: { rawText: text },
  };
}

const MAX_ID = 40;

/** An id that no other call of the message has: the call's own, that with a number, or a new one; every provider accepts the last. */
function unusedId(given: string | undefined, used: Set<string>): string {
  let id = given ?? "";
  for (let count = 2; used.has(id) && id !== ""; count += 1) id = `${given}_${count}`;
  const isNew = id === "" || (id !== given && id.length > MAX_ID);
  if (isNew) id = `call_${globalThis.crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
  used.add(id);
  return id;
}

// Parses arguments without the rules and the schema of any tool.
const NO_TOOL = anyTool("(arguments)");

/** The arguments in a string that a client could not parse: repaired if that is safe, else empty. */
export function readShownArguments(
  text: string,
  contract: Contract = (defaultContract ??= createContract()),
  finishReason?: string,
): ShownArguments {
  try {
    const options = finishReason === undefined ? {} : { finishReason };
    const checked = contract.check(NO_TOOL, text, options);
    return checked.status === "valid" && isRecord(checked.input) ? checked.input : {};
  } catch {
    // check() throws if a redactor is asynchronous, and redactors only run for invalid arguments.
    return {};
  }
}
