import { lazyWorker, reasonOf } from "../lazy-worker.ts";
import { startZodWorker } from "../zod-tool/index.ts";
import type { PeerAnswer, PeerRequest } from "./peer-answer.ts";
// oxlint-disable-next-line import/default -- Vite exports the address of the bundled worker.
import workerUrl from "./peers.worker.ts?worker&url";

/** Asks the peers in a worker. */
interface PeersClient {
  /**
   * Asks every peer, and aborts the request before it.
   *
   * @param zodCode - The code of a tool in zod; only the name of the request's tool is read then.
   * @throws A `DOMException` named "AbortError" if the request was aborted.
   */
  ask(request: PeerRequest, zodCode?: string): Promise<readonly PeerAnswer[]>;
  /** Ends the worker and aborts its request: a pattern may run for years. */
  stop(): void;
}

interface Pending {
  readonly resolve: (answers: readonly PeerAnswer[]) => void;
  readonly reject: (reason: Error) => void;
}

/** Creates a client; its worker starts with the first request. */
export function createPeersClient(
  startWorker: (code: string | undefined) => Worker = startPeersWorker,
): PeersClient {
  let pending: Pending | undefined;

  const worker = lazyWorker<PeerRequest, readonly PeerAnswer[]>(startWorker, {
    onReply: (answers) => {
      pending?.resolve(answers);
      pending = undefined;
    },
    onFailure: (event) => fail(new Error(`The frameworks could not be asked: ${reasonOf(event)}`)),
  });

  function fail(reason: Error): void {
    pending?.reject(reason);
    pending = undefined;
  }

  function stop(): void {
    worker.end();
    fail(new DOMException("The request was stopped.", "AbortError"));
  }

  return {
    stop,
    ask: async (request, zodCode) => {
      if (pending !== undefined) stop();
      worker.post(request, zodCode);
      return new Promise((resolve, reject) => {
        pending = { resolve, reject };
      });
    },
  };
}

function startPeersWorker(code: string | undefined): Worker {
  return code === undefined
    ? new Worker(workerUrl, { type: "module" })
    : startZodWorker(code, workerUrl);
}
