import { AIMessage, type AIMessageFields, type ToolCall } from "@langchain/core/messages";
import { isRecord } from "@toolcontract/core/adapter";
import type { NativeCall } from "./messages.ts";

/** Arguments that a message may show to a provider and to people. */
export type ShownArguments = Record<string, unknown>;

type ContentBlock = Readonly<Record<string, unknown>>;
type IdentifiedCalls = readonly (NativeCall & { readonly id: string })[];
/** The arguments of each rewritten call, by id; null if the call is removed. */
type ArgumentsById = ReadonlyMap<unknown, ShownArguments | null>;

/** Returns the message with exactly these calls, in every field where a provider's client looks for calls. */
export function rewriteMessage(message: AIMessage, calls: IdentifiedCalls): AIMessage {
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
    // Without the client's own error, which quotes the arguments.
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

/** Rewrites the content blocks of calls, and drops the rest of arguments that could not be parsed. */
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
  block: ContentBlock,
  shown: ArgumentsById,
  indexes: ReadonlySet<unknown>,
): readonly ContentBlock[] {
  const { type, id, index } = block;
  const args = shown.get(id);
  if (type === "invalid_tool_call") return [];
  if (type === "input_json_delta") return index !== undefined && indexes.has(index) ? [] : [block];
  if (args === undefined) return [block];
  if (args === null || type === "tool_call_chunk") return [];
  if (type === "tool_call") return [{ ...block, args }];
  return [type === "tool_use" ? { ...block, input: args } : block];
}

/** Rewrites the calls that OpenAI's chat API sent. */
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

/** Rewrites the output items of OpenAI's Responses API, which its client sends back unchanged. */
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
    return [
      args === undefined ? item : { ...(item as ContentBlock), arguments: JSON.stringify(args) },
    ];
  });
  return { ...metadata, output };
}
