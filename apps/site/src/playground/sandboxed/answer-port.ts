import { answerAll } from "../requests/index.ts";

/** In a worker of the frame: answers the requests that come through the port which the frame hands over. */
export function answerPort(handle: (request: never) => unknown): void {
  const take = ({ ports: [port] }: MessageEvent): void => {
    if (port === undefined) return;
    confine();
    answerAll(port, (request: never, begin) => {
      begin();
      return handle(request);
    });
    port.start();
  };
  self.addEventListener("message", take, { once: true });
}

/** Leaves the code of a tool no way to flood the page: no threads of its own, and one message past the port. */
function confine(): void {
  Reflect.deleteProperty(globalThis, "Worker");
  const postMessage = self.postMessage.bind(self);
  let hasSpoken = false;
  // The frame ends this worker at the first.
  const speak = (): void => {
    if (!hasSpoken) postMessage(undefined);
    hasSpoken = true;
  };
  for (const holder of [self, Object.getPrototypeOf(self) as object])
    Object.defineProperty(holder, "postMessage", { value: speak });
}
