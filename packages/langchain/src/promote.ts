import { AIMessage } from "@langchain/core/messages";
import { type Contract, createContract } from "@toolcontract/core";
import { type NativeCall, finishReasonOf, streamedTextOf } from "./messages.ts";
import { type ShownArguments, rewriteMessage } from "./rewrite-message.ts";
import { isRecord } from "@toolcontract/core/adapter";

/** How calls are promoted. */
export interface PromoteOptions {
  /** The contract that will judge the calls; it says how far texts are repaired. */
  readonly contract?: Contract;
}

/** A promoted call: an ordinary one that remembers its text. */
interface PromotedCall extends NativeCall {
  readonly type: "tool_call";
  readonly id: string;
  readonly args: ShownArguments;
}

let standard: Contract | undefined;

/**
 * Makes ordinary tool calls of those that a client could not read, so that they are routed, answered and sent
 * back to the provider like all others; their text stays with them and is judged before anything runs.
 *
 * A message without such calls is returned as it is.
 */
export function promoteInvalidToolCalls(
  message: AIMessage,
  { contract = (standard ??= createContract()) }: PromoteOptions = {},
): AIMessage {
  const unread = unreadCalls(message);
  const known = message.tool_calls ?? [];
  if (unread.length === 0 && known.every(hasId)) return message;
  const finishReason = finishReasonOf(message);
  const byPlace = new Map(unread.map((call) => [call.place, call]));
  const count = known.length + unread.filter(({ place }) => place >= known.length).length;
  const calls = Array.from({ length: count }, (_, place) => {
    const found = byPlace.get(place);
    const call = known[place];
    if (found === undefined)
      return { ...call, name: call?.name ?? "", args: call?.args ?? {}, id: idOf(call) };
    // Output is cut at its end, so only the last call of a message can be.
    const reason = place === count - 1 ? finishReason : undefined;
    return promote(found, contract, reason);
  });
  return rewriteMessage(message, calls);
}

interface UnreadCall {
  /** Where it stands among all calls. */
  readonly place: number;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly text: string;
}

/** The calls whose text is no JSON, those included that a client completed by guessing. */
function unreadCalls(message: AIMessage): readonly UnreadCall[] {
  const known = message.tool_calls ?? [];
  const guessed = known.flatMap(({ id, name, ...call }, place) => {
    const text = "toolcontract" in call ? undefined : streamedTextOf(id, message);
    return text === undefined || text.trim() === "" || isJson(text)
      ? []
      : [{ place, id, name, text }];
  });
  const ids = new Set(known.map(({ id }) => id));
  const invalid = (message.invalid_tool_calls ?? []).filter(({ id }) => !id || !ids.has(id));
  return [
    ...guessed,
    ...invalid.map(({ id, name, args = "" }, index) => ({
      place: known.length + index,
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
    // Providers take no call without a name.
    name: name === undefined || name === "" ? "unknown" : name,
    args: readShownArguments(text, contract, finishReason),
    toolcontract: { rawText: text },
  };
}

function hasId({ id }: { readonly id?: string | undefined }): boolean {
  return id !== undefined && id !== "";
}

/** Every provider takes an id of letters, digits and underscores, up to 40 of them. */
function idOf(call: { readonly id?: string | undefined } | undefined): string {
  const id = call?.id;
  if (id !== undefined && id !== "") return id;
  return `call_${globalThis.crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

// Of no tool, so that no rule and no schema has a say.
const READING = { name: "(arguments)" };

/** The arguments of a text that a client could not read: repaired where that is safe, else none. */
export function readShownArguments(
  text: string,
  contract: Contract,
  finishReason?: string,
): ShownArguments {
  try {
    const options = finishReason === undefined ? {} : { finishReason };
    const checked = contract.check(READING, text, options);
    return checked.status === "valid" && isRecord(checked.input) ? checked.input : {};
  } catch {
    // A redactor of the application is asynchronous, and only refused arguments need one.
    return {};
  }
}
