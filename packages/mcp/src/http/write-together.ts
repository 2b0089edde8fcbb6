import type { ServerResponse } from "node:http";

/** How long the head waits for the first of the body, which mostly comes in the next packet. */
const HEAD_MS = 5;

/**
 * Makes a function to call before each write of a response whose head is written: the head leaves with the first of
 * the body, and writes of one turn of the event loop leave as one packet.
 *
 * @remarks It holds the connection, since a chunked response that is itself corked writes its end before its rest.
 */
export function writeTogether(to: ServerResponse): () => void {
  let isHeld = false;
  // A stream may stay silent for long, and its client wants to know that it is there.
  const head = setTimeout(() => {
    to.flushHeaders();
  }, HEAD_MS);
  to.once("close", () => {
    clearTimeout(head);
  });
  return () => {
    clearTimeout(head);
    const { socket } = to;
    if (isHeld || !socket || to.writableEnded) return;
    isHeld = true;
    socket.cork();
    setImmediate(() => {
      isHeld = false;
      // The end of a response lets go by itself, and then the connection may belong to the next one.
      if (!to.writableEnded) socket.uncork();
    });
  };
}
