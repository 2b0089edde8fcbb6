import { AIMessage } from "@langchain/core/messages";
import { type Contract, createContract } from "@toolcontract/core";
import { isJson, isRecord } from "@toolcontract/core/adapter";
import { finishReasonOf, type NativeCall, streamedTextOf } from "./messages.ts";
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

/** A valid-looking tool call that keeps the string it was read from. */
interface PromotedCall extends NativeCall {
  readonly type: "tool_call";
  readonly id: string;
  readonly args: ShownArguments;
}

let defaultContract: Contract | undefined;

/**
 * Turns calls that a client could not parse into ordinary tool calls, so that they are routed, answered and sent back
 * to the provider like all others. Each keeps the string that the model sent, which is validated before anything runs.
 *
 * A message without such calls is returned unchanged.
 *
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
  const unread = unreadCalls(message);
  const known = message.tool_calls ?? [];
  if (unread.length === 0 && known.every(hasId)) return message;
  const finishReason = finishReasonOf(message);
  const byPlace = new Map(unread.map((call) => [call.origin, call]));
  const count = known.length + unread.filter(({ origin }) => origin >= known.length).length;
  const calls = Array.from({ length: count }, (_, origin) => {
    const found = byPlace.get(origin);
    const call = known[origin];
    if (found === undefined)
      return { ...call, name: call?.name ?? "", args: call?.args ?? {}, id: idOf(call) };
    // Output is cut off at its end, so only the last call of a message can be affected.
    const reason = origin === count - 1 ? finishReason : undefined;
    return promote(found, contract, reason);
  });
  return rewriteMessage(message, calls);
}

/** Whether a message has a call whose arguments are not JSON. */
export function hasUnreadCall(message: AIMessage): boolean {
  return unreadCalls(message).length > 0;
}

interface UnreadCall {
  /** Its position among all calls. */
  readonly origin: number;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly text: string;
}

/** The calls whose arguments are not JSON, including those that a client completed by guessing. */
function unreadCalls(message: AIMessage): readonly UnreadCall[] {
  const known = message.tool_calls ?? [];
  const guessed = known.flatMap(({ id, name, ...call }, origin) => {
    const text = "toolcontract" in call ? undefined : streamedTextOf(id, message);
    return text === undefined || text.trim() === "" || isJson(text)
      ? []
      : [{ origin, id, name, text }];
  });
  const ids = new Set(known.map(({ id }) => id));
  const invalid = (message.invalid_tool_calls ?? []).filter(({ id }) => !id || !ids.has(id));
  return [
    ...guessed,
    ...invalid.map(({ id, name, args = "" }, index) => ({
      origin: known.length + index,
      id,
      name,
      text: args,
    })),
  ];
}

function promote(call: UnreadCall, contract: Contract, finishReason?: string): PromotedCall {
  const { text, name } = call;
  return {
    type: "tool_call",
    id: idOf(call),
    // Providers reject a call without a name.
    name: name === undefined || name === "" ? "unknown" : name,
    args: readShownArguments(text, contract, finishReason),
    toolcontract: { rawText: text },
  };
}

function hasId({ id }: { readonly id?: string | undefined }): boolean {
  return id !== undefined && id !== "";
}

/** The call's id, or a new one that every provider accepts: letters, digits and underscores, at most 40. */
function idOf(call: { readonly id?: string | undefined } | undefined): string {
  const id = call?.id;
  if (id !== undefined && id !== "") return id;
  return `call_${globalThis.crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
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
