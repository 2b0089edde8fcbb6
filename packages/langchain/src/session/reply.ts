import {
  AIMessage,
  AIMessageChunk,
  type AIMessageFields,
  type MessageContent,
} from "@langchain/core/messages";
import { isCuttingFinishReason, isRecord, isWholeOutput } from "@toolcontract/core/adapter";
import { type ReplyFacts, type TokenUsage } from "@toolcontract/session";
import { REPORT_TOOL } from "@toolcontract/session/adapter";
import { callsIn, parsedTextOf } from "../call-text.ts";
import { finishReasonOf, textOfMessage } from "../messages.ts";
import { hasUnreadCall, promoteInvalidToolCalls } from "../promote.ts";
import type { MiddlewareGuard } from "../options.ts";

/** What LangChain returns instead of a message once it has read structured output. */
export interface StructuredReply {
  readonly structuredResponse: unknown;
  readonly messages: readonly unknown[];
}

/** Whether the model's answer was structured output. */
export function isStructured(reply: unknown): reply is StructuredReply {
  return isRecord(reply) && "structuredResponse" in reply && Array.isArray(reply["messages"]);
}

// Structured output ends a run as a report does, and is not a call of a tool.
const AS_REPORT = { id: "structured output", name: REPORT_TOOL };

/** What the session needs to know of an answer; `isOutput` says which calls are structured output. */
export function factsOfReply(reply: unknown, isOutput: (name: string) => boolean): ReplyFacts {
  const message: unknown = isStructured(reply) ? reply.messages[0] : reply;
  if (!AIMessage.isInstance(message)) return { text: "", hasReasoning: false, calls: [AS_REPORT] };
  const calls = callsOfReply(message, isOutput);
  const finishReason = finishReasonOf(message);
  const usage = usageOfMessage(message);
  const metadata: unknown = message.response_metadata;
  const { model_name, model, model_provider } = isRecord(metadata) ? metadata : {};
  const answered = [model_name, model].find((name) => typeof name === "string");
  return {
    text: textOfMessage(message),
    hasReasoning: hasReasoning(message),
    calls: isStructured(reply) ? [...calls, AS_REPORT] : calls,
    cut: (isCuttingFinishReason(finishReason) && hasUnreadCall(message)) || mayBeCut(message),
    ...(finishReason !== undefined && { finishReason }),
    ...(usage && { usage }),
    ...(typeof model_provider === "string" && { provider: model_provider }),
    ...(typeof answered === "string" && { model: answered }),
    metadata,
  };
}

/** Whether an answer is the sum of a provider's chunks: its last one has a reason, unless the stream broke off. */
export function breaksOff(reply: unknown): boolean {
  if (!AIMessageChunk.isInstance(reply)) return false;
  const metadata: unknown = reply.response_metadata;
  // What a model of one's own streams may have no reasons at all.
  return isRecord(metadata) && typeof metadata["model_provider"] === "string";
}

/** Whether the last call of an answer may have ended before its first argument. */
function mayBeCut(message: AIMessage): boolean {
  const call = message.tool_calls?.at(-1);
  if (call === undefined || Object.keys(call.args).length > 0) return false;
  const reason = finishReasonOf(message);
  const isBlank = parsedTextOf(call, message)?.trim() === "";
  return isBlank ? !isWholeOutput(reason) : isCuttingFinishReason(reason);
}

function callsOfReply(
  message: AIMessage,
  isOutput: (name: string) => boolean,
): ReplyFacts["calls"] {
  return callsIn(message).map(({ id = "", name = "" }) => ({
    id,
    name: isOutput(name) ? REPORT_TOOL : name,
  }));
}

function usageOfMessage({ usage_metadata, response_metadata }: AIMessage): TokenUsage | undefined {
  const usage: unknown = usage_metadata;
  if (!isRecord(usage)) return undefined;
  const { input_tokens, output_tokens, total_tokens, input_token_details: details } = usage;
  const { output_token_details: outputs } = usage;
  const { cache_read: cached, cache_creation: written, audio } = isRecord(details) ? details : {};
  const spoken = isRecord(outputs) ? outputs["audio"] : undefined;
  const hours = hourWrites(response_metadata);
  // A class may report anything; the session checks the numbers.
  return {
    inputTokens: input_tokens as number,
    outputTokens: output_tokens as number,
    totalTokens: total_tokens as number,
    ...(cached !== undefined && { cachedTokens: cached as number }),
    ...(isSome(written) && { cacheWriteTokens: written }),
    ...(isSome(written) && isSome(hours) && hours <= written && { cacheWriteHourTokens: hours }),
    ...(isSome(audio) && { audioInputTokens: audio }),
    ...(isSome(spoken) && { audioOutputTokens: spoken }),
  };
}

function isSome(count: unknown): count is number {
  return typeof count === "number" && count > 0;
}

/** What Anthropic keeps in its cache for an hour, in its own words. */
function hourWrites(metadata: unknown): unknown {
  const usage = isRecord(metadata) ? metadata["usage"] : undefined;
  const created = isRecord(usage) ? usage["cache_creation"] : undefined;
  return isRecord(created) ? created["ephemeral_1h_input_tokens"] : undefined;
}

const REASONING = new Set(["reasoning", "reasoning_content", "thinking", "redacted_thinking"]);

/** Whether the model sent reasoning, in the places of the providers' classes. */
function hasReasoning({ content, additional_kwargs }: AIMessage): boolean {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  if (blocks.some((block) => isRecord(block) && REASONING.has(String(block["type"])))) return true;
  const { reasoning_content, reasoning } = additional_kwargs;
  const said: readonly unknown[] = [reasoning_content, reasoning];
  return said.some((one) => (typeof one === "string" ? one.trim() !== "" : isRecord(one)));
}

/** The answer with the tools' own names in its calls, such as that of the report tool for `final_report`. */
export function withToolNames(reply: unknown, toolName: (name: string) => string): unknown {
  if (!AIMessage.isInstance(reply)) return reply;
  const { tool_calls: read = [], invalid_tool_calls: unread = [] } = reply;
  if ([...read, ...unread].every(({ name = "" }) => toolName(name) === name)) return reply;
  const { content, id, name, additional_kwargs, response_metadata, usage_metadata } = reply;
  const fields = {
    content,
    additional_kwargs,
    response_metadata,
    tool_calls: read.map((call) => ({ ...call, name: toolName(call.name) })),
    invalid_tool_calls: unread.map((call) => ({ ...call, name: toolName(call.name ?? "") })),
    usage_metadata,
    id,
    name,
  };
  return new AIMessage(fields as AIMessageFields);
}

/** The answer that comes after answers of reasoning alone, with this reasoning. */
export function withThoughts(
  answer: unknown,
  thoughts: readonly AIMessage[],
  guard: MiddlewareGuard,
): unknown {
  if (thoughts.length === 0 || !AIMessage.isInstance(answer)) return answer;
  const message = promoteInvalidToolCalls(answer, guard);
  const { id, name, tool_calls, invalid_tool_calls, usage_metadata, response_metadata } = message;
  const blocks = [...thoughts, message].flatMap(({ content }) => asBlocks(content));
  const additional_kwargs: AIMessage["additional_kwargs"] = Object.assign(
    {},
    ...[...thoughts, message].map((one) => one.additional_kwargs),
  );
  const reasoning = [...thoughts, message].flatMap((one) => {
    const { reasoning_content: said } = one.additional_kwargs;
    return typeof said === "string" ? [said] : [];
  });
  if (reasoning.length > 0) additional_kwargs["reasoning_content"] = reasoning.join("\n");
  const isPlain = blocks.every((block) => isRecord(block) && block["type"] === "text");
  const text = blocks.map((block) => (isRecord(block) ? String(block["text"]) : "")).join("");
  const fields = {
    content: isPlain ? text : (blocks as MessageContent),
    additional_kwargs,
    response_metadata,
    tool_calls,
    invalid_tool_calls,
    usage_metadata,
    id,
    name,
  };
  return new AIMessage(fields as AIMessageFields);
}

function asBlocks(content: MessageContent): readonly unknown[] {
  if (typeof content !== "string") return content;
  return content === "" ? [] : [{ type: "text", text: content }];
}
