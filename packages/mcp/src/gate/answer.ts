import type { Blocked, Rejected } from "@toolcontract/core";
import type { Message } from "./link.ts";
import type { ToolCallRequest } from "./tool-call-request.ts";
import { META_KEY, validationMeta } from "./validation-meta.ts";

/** JSON-RPC's "invalid params", the only way to tell a client that wants a task what was wrong. */
const INVALID_PARAMS = -32_602;

/** The contract's answer as the response to the call; never an error that models do not get to read. */
export function toResponse(
  { id, arguments: args, isTask, isModern }: ToolCallRequest,
  answer: Rejected | Blocked,
  own: readonly unknown[] = [],
): Message {
  const meta = { [META_KEY]: validationMeta(answer, args) };
  const text = answer.result.content;
  if (isTask) {
    return { jsonrpc: "2.0", id, error: { code: INVALID_PARAMS, message: text, data: meta } };
  }
  // No structuredContent: a client holds it against the schema of successful results.
  const result = { isError: true, content: [{ type: "text", text }, ...own], _meta: meta };
  return {
    jsonrpc: "2.0",
    id,
    result: isModern ? { resultType: "complete", ...result } : result,
  };
}
