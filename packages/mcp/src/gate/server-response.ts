import type { Message } from "./link.ts";
import { isRecord } from "./record.ts";
import { readRequestId, type RequestId } from "./request-id.ts";

/** What a server answered to a request. */
export type ServerResponse =
  | { readonly id: RequestId; readonly kind: "result"; readonly result: Message }
  | { readonly id: RequestId; readonly kind: "error"; readonly error: Message };

/** Reads a response; undefined for every other message. */
export function readResponse(message: Message): ServerResponse | undefined {
  const id = readRequestId(message["id"]);
  if (id === undefined || "method" in message) return undefined;
  const { result, error } = message;
  if (isRecord(result)) return { id, kind: "result", result };
  return isRecord(error) ? { id, kind: "error", error } : undefined;
}
