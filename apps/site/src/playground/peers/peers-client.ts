import type { PeerAnswer, PeerRequest } from "./peer-answer.ts";

/** Asks the peers in a worker. */
export interface PeersClient {
  /**
   * Asks every peer; the tool has a JSON Schema, unless the worker defines it in zod. A request that is not answered
   * yet is stopped.
   *
   * @throws A `DOMException` with the name "AbortError" if the request was stopped.
   */
  ask(request: PeerRequest): Promise<readonly PeerAnswer[]>;
  /** Stops the request that is not answered yet: a pattern may run for years. */
  stop(): void;
}

interface Pending {
  readonly resolve: (answers: readonly PeerAnswer[]) => void;
  readonly reject: (reason: Error) => void;
}

/** Creates a client; its worker starts with the first request. */
export function createPeersClient(startWorker: () => Worker): PeersClient {
  let worker: Worker | undefined;
  let pending: Pending | undefined;

  function end(reason: Error): void {
    worker?.terminate();
    worker = undefined;
    pending?.reject(reason);
    pending = undefined;
  }

  function start(): Worker {
    const started = startWorker();
    started.addEventListener("message", ({ data }: MessageEvent<readonly PeerAnswer[]>) => {
      if (started !== worker) return;
      pending?.resolve(data);
      pending = undefined;
    });
    started.addEventListener("error", (event) => {
      // Otherwise the browser reports it as an error of the page.
      event.preventDefault();
      // What cannot be loaded or parsed fails without a message.
      const reason = event.message ?? "the worker could not be started";
      if (started === worker) end(new Error(`The frameworks could not be asked: ${reason}`));
    });
    return started;
  }

  function stop(): void {
    if (pending !== undefined) end(new DOMException("The request was stopped.", "AbortError"));
  }

  return {
    stop,
    ask: async (request) => {
      stop();
      worker ??= start();
      worker.postMessage(request);
      return new Promise((resolve, reject) => {
        pending = { resolve, reject };
      });
    },
  };
}
