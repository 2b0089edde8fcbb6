import {
  AIMessage,
  type BaseMessage,
  type MessageContent,
  ToolMessage,
} from "@langchain/core/messages";
import { isRecord, lastFinishReason } from "@toolcontract/core/adapter";
import type { CallOrigin } from "./runs.ts";

/** A tool call as LangChain passes it around, with what the contract keeps with it: frameworks store calls, and little else. */
export interface NativeCall {
  readonly id?: string | undefined;
  readonly name: string;
  /** The parsed arguments. */
  readonly args: unknown;
  /** What the contract keeps with a call. */
  readonly toolcontract?: {
    /** The string that the model sent. If it is not a JSON object, the arguments are only what may be shown of it. */
    readonly rawText?: string;
    /** Set if the contract refused the call when it was made, so that nobody was asked about it. It never runs. */
    readonly heldBack?: boolean;
  };
}

/** The text content of a message; blocks other than text are left out. */
export function textOfMessage({ content }: BaseMessage): string {
  if (typeof content === "string") return content;
  const texts = (content as readonly unknown[]).map((block) =>
    isRecord(block) && typeof block["text"] === "string" ? block["text"] : "",
  );
  return texts.join("");
}

/** A tool's message with other content, as one of a tool that failed, or as the answer to another call. */
export function copyToolMessage(
  message: ToolMessage,
  changes: {
    readonly content?: MessageContent;
    readonly status?: "error";
    readonly artifact?: unknown;
    readonly tool_call_id?: string;
    readonly id?: undefined;
  },
): ToolMessage {
  const { content, tool_call_id, name, status, artifact, id, metadata } = message;
  const fields = {
    content,
    additional_kwargs: message.additional_kwargs,
    response_metadata: message.response_metadata,
    artifact: artifact as unknown,
    tool_call_id,
    name,
    status,
    id,
    metadata,
    ...changes,
  };
  return new ToolMessage(fields as ConstructorParameters<typeof ToolMessage>[0]);
}

/** The model's message that made a call, and its position. */
export interface CallingMessageAt {
  readonly message: AIMessage;
  readonly index: number;
}

/** Finds the message that made a call: the last one that contains it, else the model's last one. */
export function callingMessageOf(
  call: Pick<NativeCall, "id">,
  messages: readonly BaseMessage[],
): CallingMessageAt | undefined {
  let last: CallingMessageAt | undefined;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (!AIMessage.isInstance(message)) continue;
    last ??= { message, index };
    if (call.id !== undefined && message.tool_calls?.some(({ id }) => id === call.id)) {
      return { message, index };
    }
  }
  return last;
}

const turnIds = new WeakMap<object, string>();
let turnSerial = 0;

/**
 * Identifies a model turn by its message's id, or by the message object if it has none. Some servers repeat ids, so one is
 * not enough without its conversation or run.
 */
export function turnIdOf(
  message: { readonly id?: string | undefined },
  origin: CallOrigin | undefined,
): string {
  const { conversationId, runId } = origin ?? {};
  if (message.id !== undefined && conversationId !== undefined) return message.id;
  if (message.id !== undefined && runId !== undefined) return `${runId} ${message.id}`;
  const known = turnIds.get(message);
  if (known !== undefined) return known;
  turnSerial += 1;
  const id = `turn ${turnSerial}`;
  turnIds.set(message, id);
  return id;
}

// OpenAI, Google, Anthropic, Bedrock and Ollama each have their own name for it.
const FINISH_REASONS = [
  "finish_reason",
  "finishReason",
  "stop_reason",
  "stopReason",
  "done_reason",
] as const;

/** Why the provider ended the output, in its own words. */
export function finishReasonOf(message: AIMessage): string | undefined {
  const metadata: Readonly<Record<string, unknown>> = message.response_metadata;
  const { incomplete_details: details, object, status } = metadata;
  const found = [metadata, message.additional_kwargs].flatMap((holder) =>
    FINISH_REASONS.map((name) => holder[name]),
  );
  // OpenAI's Responses API has one only for incomplete outputs, beside the status of all.
  const ofDetails = isRecord(details) ? details["reason"] : undefined;
  const reasons = [ofDetails, ...found, object === "response" ? status : undefined];
  const reason = reasons.find((one) => typeof one === "string");
  // Chunks are added up, and some servers repeat it in each.
  return reason === undefined ? undefined : lastFinishReason(reason);
}
