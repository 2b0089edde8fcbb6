import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { isRecord } from "@toolcontract/core/adapter";

/** A tool call as LangChain hands it around; `toolcontract` is there on one whose text could not be read. */
export interface NativeCall {
  readonly id?: string | undefined;
  readonly name: string;
  readonly args: unknown;
  readonly toolcontract?: { readonly rawText: string };
}

/** The text of a message; blocks of other kinds have none. */
export function textOf({ content }: BaseMessage): string {
  if (typeof content === "string") return content;
  const texts = (content as readonly unknown[]).map((block) =>
    isRecord(block) && typeof block["text"] === "string" ? block["text"] : "",
  );
  return texts.join("");
}

/** The model's message that made a call, and where it stands. */
export interface CallingMessage {
  readonly message: AIMessage;
  readonly index: number;
}

/** Finds the message that made a call: the last one that has it, else the last one of the model. */
export function callingMessageOf(
  call: Pick<NativeCall, "id">,
  messages: readonly BaseMessage[],
): CallingMessage | undefined {
  let last: CallingMessage | undefined;
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

const ids = new WeakMap<object, string>();
let last = 0;

/** Names a model turn by its message: by its id, or else by the object. */
export function turnIdOf(message: { readonly id?: string | undefined }): string {
  if (message.id !== undefined) return message.id;
  const known = ids.get(message);
  if (known !== undefined) return known;
  last += 1;
  const id = `turn ${last}`;
  ids.set(message, id);
  return id;
}

// As OpenAI, Google, Anthropic, Bedrock and Ollama name it.
const NAMES = [
  "finish_reason",
  "finishReason",
  "stop_reason",
  "stopReason",
  "done_reason",
] as const;

/** Why the provider ended the output, in its own words. */
export function finishReasonOf(message: AIMessage): string | undefined {
  const metadata: unknown = message.response_metadata;
  const holders: readonly unknown[] = [metadata, message.additional_kwargs];
  // The Responses API tells it of incomplete outputs only.
  const details = isRecord(metadata) ? metadata["incomplete_details"] : undefined;
  const found = holders.filter(isRecord).flatMap((holder) => NAMES.map((name) => holder[name]));
  const reasons = [isRecord(details) ? details["reason"] : undefined, ...found];
  return reasons.find((reason) => typeof reason === "string");
}

/** The text of a call's arguments that the provider's client could not read, where it was promoted. */
export function unreadTextOf(
  call: Pick<NativeCall, "id" | "toolcontract">,
  message: AIMessage | undefined,
): string | undefined {
  const own = call.toolcontract?.rawText;
  if (typeof own === "string") return own;
  if (call.id === undefined || call.id === "") return undefined;
  // Other middleware may have rebuilt the call without what it does not know.
  return message?.invalid_tool_calls?.find(({ id }) => id === call.id)?.args;
}

/** The text behind arguments that a client has parsed already, as far as the message still shows it. */
export function parsedTextOf(id: string | undefined, message: AIMessage): string | undefined {
  if (id === undefined || id === "") return undefined;
  return streamedTextOf(id, message) ?? sentTextOf(id, message);
}

/** The text of a call that came in pieces; clients complete it before they parse it. */
export function streamedTextOf(id: string | undefined, message: AIMessage): string | undefined {
  const pieces: unknown = "tool_call_chunks" in message ? message.tool_call_chunks : undefined;
  if (!Array.isArray(pieces) || id === undefined) return undefined;
  const chunks: readonly unknown[] = pieces;
  const first = chunks.filter(isRecord).find((chunk) => chunk["id"] === id);
  if (first === undefined) return undefined;
  // Later pieces carry the index alone.
  const isPart = (chunk: Readonly<Record<string, unknown>>): boolean =>
    chunk["id"] === id ||
    (chunk["id"] === undefined &&
      chunk["index"] !== undefined &&
      chunk["index"] === first["index"]);
  const parts = chunks.filter(isRecord).filter(isPart);
  return parts.map(({ args }) => (typeof args === "string" ? args : "")).join("");
}

function sentTextOf(id: string, { additional_kwargs }: AIMessage): string | undefined {
  const sent = additional_kwargs.tool_calls?.find((call) => call.id === id)?.function?.arguments;
  return typeof sent === "string" ? sent : undefined;
}
