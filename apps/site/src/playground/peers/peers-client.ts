import { lazyWorker, type StartedWorker, WorkerFailedError } from "../requests/index.ts";
import { startSandboxed } from "../sandbox/index.ts";
import type { PeerAnswer, PeerRequest } from "./peer-answer.ts";
// oxlint-disable-next-line import/default -- The build exports the address of the bundled script.
import toolUrl from "./peers.sandboxed.ts?url";
// oxlint-disable-next-line import/default -- Vite exports the address of the bundled worker.
import workerUrl from "./peers.worker.ts?worker&url";
import { readAnswers } from "./read-answers.ts";

/** Asks the peers in a worker. */
interface PeersClient {
  /**
   * Asks every peer, and aborts the request before it.
   *
   * @throws A `DOMException` named "AbortError" if the request was aborted.
   */
  ask(request: PeerRequest): Promise<readonly PeerAnswer[]>;
  /** Ends the worker and aborts its request: a pattern may run for years. */
  stop(): void;
}

/** Creates a client; its worker starts with the first request. */
export function createPeersClient(
  startWorker: (code: string | undefined) => StartedWorker = startPeers,
): PeersClient {
  const worker = lazyWorker<PeerRequest, readonly PeerAnswer[]>(startWorker, readAnswers);
  let running: PeerRequest | undefined;

  return {
    stop: () => worker.end(),
    ask: async (request) => {
      if (running !== undefined) worker.end();
      running = request;
      try {
        return await worker.ask(request, { code: request.code });
      } catch (reason) {
        if (reason instanceof DOMException) throw reason;
        throw new Error(`The frameworks could not be asked: ${reasonOf(reason)}`, {
          cause: reason,
        });
      } finally {
        if (running === request) running = undefined;
      }
    },
  };
}

function reasonOf(reason: unknown): string {
  return reason instanceof WorkerFailedError ? reason.message : "their answer cannot be read";
}

function startPeers(code: string | undefined): StartedWorker {
  const worker = new Worker(workerUrl, { type: "module" });
  return code === undefined
    ? { worker, end: () => worker.terminate() }
    : startSandboxed(worker, toolUrl);
}
