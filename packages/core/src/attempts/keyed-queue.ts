import { type MaybePromise, isPromiseLike } from "@toolcontract/explain/adapter";

/** Runs tasks of one key in order and those of different keys concurrently; holds nothing once idle. */
export type KeyedQueue = <T>(key: string, task: () => MaybePromise<T>) => MaybePromise<T>;

/** Creates a queue in which a failing task does not affect the next; a task that waits for nothing runs at once. */
export function createKeyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<unknown>>();

  async function enqueue<T>(key: string, own: Promise<T>): Promise<T> {
    tails.set(key, own);
    try {
      return await own;
    } finally {
      if (tails.get(key) === own) tails.delete(key);
    }
  }

  return (key, task) => {
    const before = tails.get(key);
    if (before !== undefined) return enqueue(key, before.then(task, task));
    const answer = task();
    return isPromiseLike(answer) ? enqueue(key, Promise.resolve(answer)) : answer;
  };
}
