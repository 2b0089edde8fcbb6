import type { IncomingMessage } from "node:http";

/** A stream may stay silent for long, and its client wants to know that it is there. */
const HEAD_MS = 5;

/** Waits for the first of a body, which mostly comes in the packet after the head, but not for long. */
export async function firstArrival(message: IncomingMessage): Promise<void> {
  if (message.complete || message.readableLength > 0) return undefined;
  return new Promise((resolve) => {
    const timer = setTimeout(arrived, HEAD_MS);
    function arrived(): void {
      clearTimeout(timer);
      message.off("readable", arrived).off("close", arrived);
      resolve();
    }
    message.on("readable", arrived).on("close", arrived);
  });
}
