import type { OutgoingMessage } from "node:http";

/** Above this size, copying the body costs more than a second write. */
const MAX_COPIED = 16 * 1024;

/**
 * Ends a request or a response with its body.
 *
 * @remarks Node sends a head and a string in one write, but a head and a buffer in two parts. In Latin-1, each byte is
 * one character.
 */
export function endInOneWrite(message: OutgoingMessage, body: Buffer): void {
  if (body.length > MAX_COPIED) message.end(body);
  else message.end(body.toString("latin1"), "latin1");
}
