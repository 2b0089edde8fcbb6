import { availableParallelism } from "node:os";

/** Runs the work for every item, one per core at a time and at most four. */
export async function inTurns<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, worker));
}
