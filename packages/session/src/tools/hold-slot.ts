import { AsyncLocalStorage } from "node:async_hooks";
import type { Queues } from "../shared/index.ts";

/** A slot in a queue that is held until it is given back, for work that is not a single function. */
export interface HeldSlot {
  /** Runs a function where the slot is held: calls inside of it take none of their own. */
  readonly within: <T>(run: () => T) => T;
  /** Gives the slot back; a second call does nothing. */
  readonly release: () => void;
}

/**
 * Waits for a slot in a queue. Prefer `queues.run`, which gives it back by itself.
 *
 * @throws What the signal was aborted with, while waiting.
 */
export async function holdSlot(
  queues: Queues,
  queue: string,
  signal?: AbortSignal,
): Promise<HeldSlot> {
  return new Promise((resolve, reject) => {
    const hold = async (): Promise<void> =>
      new Promise((release) => {
        resolve({ within: AsyncLocalStorage.snapshot(), release });
      });
    queues.run(queue, hold, signal).catch(reject);
  });
}
