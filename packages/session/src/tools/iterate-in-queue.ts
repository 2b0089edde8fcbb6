import type { Queues } from "../shared/index.ts";
import { type HeldPlace, holdPlace } from "./hold-place.ts";

/** Starts an iterable so that all of it runs where the place is held: calls inside of it take none of their own. */
export type Within = <T>(start: () => AsyncIterable<T>) => AsyncIterable<T>;

/**
 * Passes on what a tool yields, in a place of a queue. The place is taken when the first value is asked for, and given
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
  const place = await holdPlace(queues, queue, signal);
  try {
    yield* run((start) => iterateIn(place, start));
  } finally {
    place.release();
  }
}

function iterateIn<T>({ within }: HeldPlace, start: () => AsyncIterable<T>): AsyncIterable<T> {
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
