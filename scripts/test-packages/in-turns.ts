import { availableParallelism } from "node:os";

/** Does the work for every item, as many at a time as there are cores, four at most. */
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
