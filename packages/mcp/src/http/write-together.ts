import type { ServerResponse } from "node:http";

/**
 * Makes a function to call before each write of a response: writes of one turn of the event loop, with the head before
 * the first, leave as one packet.
 *
 * @remarks It holds the connection, since a chunked response that is itself corked writes its end before its rest.
 */
export function writeTogether(to: ServerResponse): () => void {
  let isHeld = false;
  return () => {
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
