import { AIMessage, type AIMessageFields, type ToolCall } from "@langchain/core/messages";
import { isRecord } from "@toolcontract/core/adapter";
import type { NativeCall } from "./messages.ts";

/** Arguments as a message may show them to a provider and to people. */
export type ShownArguments = Record<string, unknown>;

type Block = Readonly<Record<string, unknown>>;
type Calls = readonly (NativeCall & { readonly id: string })[];
/** What the calls that are rewritten show; null for one that is taken out. */
type ArgumentsById = ReadonlyMap<unknown, ShownArguments | null>;

/** The message with these calls and no others, wherever a provider's client might look for them. */
export function rewriteMessage(message: AIMessage, calls: Calls): AIMessage {
  const promoted = calls.filter(({ toolcontract }) => toolcontract !== undefined);
  const kept = new Set(calls.map(({ id }) => id));
  const dropped = (message.tool_calls ?? []).filter(({ id }) => id !== undefined && !kept.has(id));
  const shown: ArgumentsById = new Map([
    ...promoted.map(({ id, args }) => [id, args as ShownArguments] as const),
    ...dropped.map(({ id }) => [id, null] as const),
  ]);
  const { content, id, name, usage_metadata, additional_kwargs, response_metadata } = message;
  const fields = {
    content: typeof content === "string" ? content : content.flatMap(blockWriter(content, shown)),
    tool_calls: calls.map((call) => ({ ...call, type: "tool_call" }) as ToolCall),
    // Without the client's words: they quote the arguments.
    invalid_tool_calls: promoted.map((call) => ({
      type: "invalid_tool_call" as const,
      id: call.id,
      name: call.name,
      args: call.toolcontract?.rawText ?? "",
      error: "Malformed args.",
    })),
    additional_kwargs: withSentCalls(additional_kwargs, shown),
    response_metadata: withOutput(response_metadata, shown),
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    usage_metadata,
  };
  return new AIMessage(fields as AIMessageFields);
}

/** Rewrites the blocks of calls; what is left of a text that could not be read is dropped. */
function blockWriter(
  content: readonly unknown[],
  shown: ArgumentsById,
): (block: unknown) => unknown {
  const indexes = new Set(
    content
      .filter(isRecord)
      .filter((block) => block["type"] === "tool_use" && shown.has(block["id"]))
      .map((block) => block["index"]),
  );
  return (block) => (isRecord(block) ? writeBlock(block, shown, indexes) : [block]);
}

function writeBlock(
  block: Block,
  shown: ArgumentsById,
  indexes: ReadonlySet<unknown>,
): readonly Block[] {
  const { type, id, index } = block;
  const args = shown.get(id);
  if (type === "invalid_tool_call") return [];
  if (type === "input_json_delta") return index !== undefined && indexes.has(index) ? [] : [block];
  if (args === undefined) return [block];
  if (args === null || type === "tool_call_chunk") return [];
  if (type === "tool_call") return [{ ...block, args }];
  return [type === "tool_use" ? { ...block, input: args } : block];
}

/** The calls as OpenAI's chat API sent them. */
function withSentCalls(
  kwargs: AIMessage["additional_kwargs"],
  shown: ArgumentsById,
): AIMessage["additional_kwargs"] {
  if (!Array.isArray(kwargs.tool_calls)) return kwargs;
  const tool_calls = kwargs.tool_calls.flatMap((call) => {
    const args = shown.get(call.id);
    if (args === null) return [];
    const sent = { ...call.function, arguments: JSON.stringify(args) };
    return [args === undefined ? call : { ...call, function: sent }];
  });
  return { ...kwargs, tool_calls };
}

/** The items of OpenAI's Responses API, which its client sends back as they came. */
function withOutput(
  metadata: AIMessage["response_metadata"],
  shown: ArgumentsById,
): AIMessage["response_metadata"] {
  const given: unknown = metadata;
  const items = isRecord(given) ? given["output"] : undefined;
  if (!Array.isArray(items)) return metadata;
  const output = items.flatMap((item: unknown) => {
    const args = isRecord(item) ? shown.get(item["call_id"]) : undefined;
    if (args === null) return [];
    return [args === undefined ? item : { ...(item as Block), arguments: JSON.stringify(args) }];
  });
  return { ...metadata, output };
}
