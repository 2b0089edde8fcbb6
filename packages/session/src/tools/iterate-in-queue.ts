import { AsyncLocalStorage } from "node:async_hooks";
import type { Queues } from "../shared/index.ts";

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
  const place = holdPlace(queues, queue, signal);
  const inPlace = await place.taken;
  try {
    yield* run((start) => iterateIn(inPlace, start));
  } finally {
    place.release();
  }
}

type InPlace = <T>(run: () => T) => T;

/** Takes a place that no function can be run in, because a reader asks for the values. */
function holdPlace(
  queues: Queues,
  queue: string,
  signal: AbortSignal | undefined,
): { readonly taken: Promise<InPlace>; readonly release: () => void } {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const taken = new Promise<InPlace>((resolve, reject) => {
    queues
      .run(
        queue,
        async () => {
          resolve(AsyncLocalStorage.snapshot());
          await released;
        },
        signal,
      )
      .catch(reject);
  });
  return { taken, release };
}

function iterateIn<T>(inPlace: InPlace, start: () => AsyncIterable<T>): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]: () => {
      const results = inPlace(() => start()[Symbol.asyncIterator]());
      return {
        next: async () => inPlace(async () => results.next()),
        return: async () =>
          inPlace(async () => (await results.return?.()) ?? { done: true, value: undefined }),
      };
    },
  };
}
