import type { Message } from "./link.ts";
import { isRecord } from "./record.ts";
import { readRequestId, type RequestId } from "./request-id.ts";

const PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";

/** A `tools/call` that the contract may judge. */
export interface ToolCallRequest {
  readonly id: RequestId;
  readonly name: string;
  readonly arguments: unknown;
  /** True where the client wants a task, whose call has no result that could say what was wrong. */
  readonly isTask: boolean;
  /** True in the era without sessions, in which every result names its type. */
  readonly isModern: boolean;
  readonly message: Message;
}

/**
 * Reads a tool call; undefined for everything else, and for calls that only the server can answer: malformed ones,
 * and the later rounds of one that was judged already.
 */
export function readToolCall(message: Message): ToolCallRequest | undefined {
  if (message["method"] !== "tools/call") return undefined;
  const id = readRequestId(message["id"]);
  const params = message["params"];
  if (id === undefined || !isRecord(params)) return undefined;
  const name = params["name"];
  if (typeof name !== "string" || "inputResponses" in params || "requestState" in params) {
    return undefined;
  }
  const meta = params["_meta"];
  return {
    id,
    name,
    arguments: params["arguments"],
    isTask: isRecord(params["task"]),
    isModern: isRecord(meta) && typeof meta[PROTOCOL_VERSION] === "string",
    message,
  };
}
