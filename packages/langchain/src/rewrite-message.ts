import { AIMessage, type AIMessageFields, type ToolCall } from "@langchain/core/messages";
import { isRecord } from "@toolcontract/core/adapter";
import { callsIn, isUnread } from "./call-text.ts";
import type { NativeCall } from "./messages.ts";
import { type CallEntry, chatCalls, outputItems, pairCalls } from "./sent-calls.ts";

/** Arguments that a message may show to a provider and to people. */
export type ShownArguments = Record<string, unknown>;

type ContentBlock = Readonly<Record<string, unknown>>;

/** A call that a message keeps. */
export interface RewrittenCall {
  /** Its position in the message, as `callsIn` has it. */
  readonly from: number;
  readonly call: NativeCall & { readonly id: string };
}

/** What changes of a call: null if it is removed. */
type Change = {
  readonly id: string;
  readonly name?: string;
  readonly args?: ShownArguments;
} | null;
/** The change of each entry of one place, undefined if it stays as it is. */
type ChangesOf = (entries: readonly CallEntry[]) => readonly (Change | undefined)[];

/** Returns the message with exactly these calls, in every place where a provider's client looks for calls. */
export function rewriteMessage(message: AIMessage, rewritten: readonly RewrittenCall[]): AIMessage {
  const calls = rewritten.map(({ call }) => call);
  const changesOf = changesIn(message, rewritten);
  const { content, id, name, usage_metadata } = message;
  const fields = {
    content: typeof content === "string" ? content : writeBlocks(content, changesOf),
    tool_calls: calls.map((call) => ({ ...call, type: "tool_call" }) as ToolCall),
    // Without the client's own error, which quotes the arguments.
    invalid_tool_calls: calls.filter(isUnread).map((call) => ({
      type: "invalid_tool_call" as const,
      id: call.id,
      name: call.name,
      args: call.toolcontract?.rawText ?? "",
      error: "Malformed args.",
    })),
    additional_kwargs: withSentCalls(message, changesOf),
    response_metadata: withOutput(message, changesOf),
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    usage_metadata,
  };
  return new AIMessage(fields as AIMessageFields);
}

function changesIn(message: AIMessage, rewritten: readonly RewrittenCall[]): ChangesOf {
  const given = callsIn(message);
  const changes = given.map(({ id, name, args, parsed }, at): Change | undefined => {
    const call = rewritten.find(({ from }) => from === at)?.call;
    if (call === undefined) return null;
    // What nobody could name was sent without one.
    const named = name && call.name !== name ? { name: call.name } : {};
    const isOther = isUnread(call) || (parsed !== undefined && call.args !== args);
    const shown = isOther ? { args: call.args as ShownArguments } : {};
    if (call.id === id && !isOther && named.name === undefined) return undefined;
    return { id: call.id, ...named, ...shown };
  });
  return (entries) =>
    pairCalls(given, entries).map((index) => (index === undefined ? undefined : changes[index]));
}

/** The kinds of blocks that have a call each. */
const CALL_BLOCKS = ["tool_use", "tool_call", "tool_call_chunk"];

/** Rewrites the content blocks of calls, and drops the rest of arguments that could not be parsed. */
function writeBlocks(content: readonly unknown[], changesOf: ChangesOf): readonly unknown[] {
  const changes = new Map<unknown, Change>();
  for (const kind of CALL_BLOCKS) {
    const blocks = content.filter(isRecord).filter(({ type }) => type === kind);
    const entries = blocks.map(({ id, name, args, input = args }) => ({ id, name, args: input }));
    for (const [at, change] of changesOf(entries).entries())
      if (change !== undefined) changes.set(blocks[at], change);
  }
  const rewrittenUses = content
    .filter(isRecord)
    .filter((block) => block["type"] === "tool_use" && isOtherText(changes.get(block)));
  const indexes = new Set(rewrittenUses.map(({ index }) => index));
  return content.flatMap((block): readonly unknown[] =>
    isRecord(block) ? writeBlock(block, changes.get(block), indexes) : [block],
  );
}

/** Whether the text of a call that was sent is not that of its arguments any more. */
function isOtherText(change: Change | undefined): boolean {
  return change === null || change?.args !== undefined;
}

function writeBlock(
  block: ContentBlock,
  change: Change | undefined,
  indexes: ReadonlySet<unknown>,
): readonly ContentBlock[] {
  const { type, index } = block;
  if (type === "invalid_tool_call") return [];
  if (type === "input_json_delta") return index !== undefined && indexes.has(index) ? [] : [block];
  if (change === undefined) return [block];
  const { id, args, name } = change ?? {};
  if (change === null || (type === "tool_call_chunk" && args !== undefined)) return [];
  const shown = args && { [type === "tool_use" ? "input" : "args"]: args };
  return [{ ...block, id, ...(name !== undefined && { name }), ...shown }];
}

/** Rewrites the calls that OpenAI's chat API sent. */
function withSentCalls(message: AIMessage, changesOf: ChangesOf): AIMessage["additional_kwargs"] {
  const kwargs = message.additional_kwargs;
  if (!Array.isArray(kwargs.tool_calls)) return kwargs;
  const changes = changesOf(chatCalls(message));
  const tool_calls = kwargs.tool_calls.flatMap((call, at) => {
    const change = changes[at];
    if (change === undefined) return [call];
    if (change === null) return [];
    const { id, args, name } = change;
    const named = { ...call.function, ...(name !== undefined && { name }) };
    const sent = args ? { ...named, arguments: JSON.stringify(args) } : named;
    return [{ ...call, id, function: sent }];
  });
  return { ...kwargs, tool_calls };
}

/** Rewrites the output items of OpenAI's Responses API, which its client sends back unchanged. */
function withOutput(message: AIMessage, changesOf: ChangesOf): AIMessage["response_metadata"] {
  const metadata = message.response_metadata;
  const given: unknown = metadata;
  const items = isRecord(given) ? given["output"] : undefined;
  if (!Array.isArray(items)) return metadata;
  const changes = changesOf(outputItems(message));
  const output = items.flatMap((item: unknown, at) => {
    const change = changes[at];
    if (change === undefined) return [item];
    if (change === null) return [];
    const { id, args, name } = change;
    const sent = args && { arguments: JSON.stringify(args) };
    return [{ ...(item as ContentBlock), call_id: id, ...(name && { name }), ...sent }];
  });
  return { ...metadata, output };
}
