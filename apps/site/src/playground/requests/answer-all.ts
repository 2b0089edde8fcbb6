import type { Answer, Asked } from "./messages.ts";

/** A worker's own global, or a port. */
interface Channel {
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
  postMessage(message: unknown): void;
}

/**
 * Answers each request once, in the order in which they came.
 *
 * @param handle - Takes what it is known to be asked. Calls `begin` once it has what it needs: the time of a request counts from then.
 */
export function answerAll(
  channel: Channel,
  handle: (request: never, begin: () => void) => unknown,
): void {
  let last = Promise.resolve();
  channel.addEventListener("message", ({ data }: MessageEvent<Asked<never> | undefined>) => {
    // A message without a request brings a port.
    if (data === undefined) return;
    const { id, request } = data;
    const answer = (message: Answer): void => channel.postMessage(message);
    last = last
      .then(async () => {
        const reply = await handle(request, () => answer({ id, begun: true }));
        answer({ id, reply });
      })
      // Whoever started the worker ends it.
      .catch((thrown: unknown) => reportError(thrown));
  });
}
