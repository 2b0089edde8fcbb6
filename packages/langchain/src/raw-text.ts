import type { AIMessage } from "@langchain/core/messages";
import { isRecord } from "@toolcontract/core/adapter";
import type { NativeCall } from "./native-call.ts";

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
