import type { Queues } from "../shared/index.ts";
import { type HeldSlot, holdSlot } from "./hold-slot.ts";

/** Starts an iterable so that all of it runs where the slot is held: calls inside of it take none of their own. */
export type Within = <T>(start: () => AsyncIterable<T>) => AsyncIterable<T>;

/**
 * Passes on what a tool yields, in a slot of a queue. The slot is taken when the first value is asked for, and given
 * back after the last one or when the reader leaves.
 *
 * @throws What the signal was aborted with, while waiting; what the tool threw.
 */
export async function* iterateInQueue<T>(
  queues: Queues,
  queue: string,
  run: (within: Within) => AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  const slot = await holdSlot(queues, queue, signal);
  try {
    yield* run((start) => iterateIn(slot, start));
  } finally {
    slot.release();
  }
}

function iterateIn<T>({ within }: HeldSlot, start: () => AsyncIterable<T>): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]: () => {
      const results = within(() => start()[Symbol.asyncIterator]());
      return {
        next: async () => within(async () => results.next()),
        return: async () =>
          within(async () => (await results.return?.()) ?? { done: true, value: undefined }),
      };
    },
  };
}
