/** Runs tasks of one key after another and tasks of different keys side by side; it keeps nothing once idle. */
export type KeyedQueue = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/** Makes a queue in which a failing task fails alone and does not hold up the next. */
export function createKeyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<unknown>>();
  return async (key, task) => {
    const before = tails.get(key);
    const mine = before === undefined ? task() : before.then(task, task);
    tails.set(key, mine);
    try {
      return await mine;
    } finally {
      if (tails.get(key) === mine) tails.delete(key);
    }
  };
}
