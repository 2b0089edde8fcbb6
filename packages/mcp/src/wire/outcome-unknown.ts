import type { Message } from "@toolcontract/mcp-client/wire";

const INTERNAL_ERROR = -32_603;

/** The answer to a call that the server has, and did not answer before the proxy stopped. */
export function outcomeUnknown(id: unknown): Message {
  const message =
    "The server did not answer before the proxy stopped, so the outcome of this call is unknown: check it before you repeat the call.";
  return { jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message } };
}
