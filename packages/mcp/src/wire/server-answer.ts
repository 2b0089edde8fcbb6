import type { Message } from "../gate/link.ts";

/** What a JSON-RPC response answers: a result, or an error whose content does not matter here. */
export type ServerAnswer = { readonly result: unknown } | { readonly failed: true };

/** Reads a response; requests and notifications are undefined. */
export function serverAnswer(message: Message): ServerAnswer | undefined {
  if ("method" in message) return undefined;
  if ("result" in message) return { result: message["result"] };
  return "error" in message ? { failed: true } : undefined;
}
