import { startZodWorker } from "../zod-tool/index.ts";
import { createPeersClient, type PeersClient } from "./peers-client.ts";
// oxlint-disable-next-line import/default -- Vite exports the address of the bundled worker.
import workerUrl from "./peers.worker.ts?worker&url";

/**
 * Creates a client for tools with a JSON Schema, or for the one tool that this code defines in zod: of the tool in
 * a request, only the name is read then.
 */
export function peersFor(zodCode: string | undefined): PeersClient {
  return createPeersClient(() =>
    zodCode === undefined
      ? new Worker(workerUrl, { type: "module" })
      : startZodWorker(zodCode, [workerUrl]),
  );
}
