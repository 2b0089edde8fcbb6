import { type MaybePromise, isPromiseLike } from "@toolcontract/explain/adapter";
import type { AttemptStore } from "./attempt-store.ts";

/** How a store answered: `"skipped"` if it did so without its engine. */
export type StoreResult = "ok" | "failed" | "skipped";

/** Wraps a store and reports how long each answer took. */
export function timedStore(
  store: AttemptStore,
  onAnswer: (result: StoreResult, seconds: number) => void,
): AttemptStore {
  function timed<T>(ask: () => MaybePromise<T>): MaybePromise<T> {
    const startedAt = performance.now();
    const { outage } = store;
    const end = (hasFailed: boolean): void => {
      const now = store.outage;
      const result = now === undefined ? "ok" : now === outage ? "skipped" : "failed";
      onAnswer(hasFailed ? "failed" : result, (performance.now() - startedAt) / 1000);
    };
    const fail = (thrown: unknown): never => {
      end(true);
      throw thrown;
    };
    const succeed = (value: T): T => {
      end(false);
      return value;
    };
    let answer: MaybePromise<T>;
    try {
      answer = ask();
    } catch (thrown) {
      return fail(thrown);
    }
    return isPromiseLike(answer) ? Promise.resolve(answer).then(succeed, fail) : succeed(answer);
  }

  return {
    get: (key) => timed(() => store.get(key)),
    update: (key, change) => timed(() => store.update(key, change)),
    delete: (key) => timed(() => store.delete(key)),
    get outage() {
      return store.outage;
    },
  };
}
