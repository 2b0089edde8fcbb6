import { type MaybePromise, isPromiseLike } from "@toolcontract/explain/adapter";
import { within } from "../kit/index.ts";
import type { AttemptStore } from "./attempt-store.ts";

/** How long a call waits for a store that has no limit of its own. */
export const STORE_LIMIT_MS = 5_000;

/** Wraps a store so that no call waits for it for ever: an answer that does not come in time is a failure of the store. */
export function boundedStore(store: AttemptStore): AttemptStore {
  // withFallback() has a limit of its own, and goes on counting.
  if ("outage" in store) return store;
  const bounded = <T>(answer: MaybePromise<T>): MaybePromise<T> =>
    isPromiseLike(answer) ? within(answer, STORE_LIMIT_MS) : answer;
  return {
    get: (key) => bounded(store.get(key)),
    update: (key, change) => bounded(store.update(key, change)),
    delete: (key) => bounded(store.delete(key)),
  };
}
