import type { MaybePromise } from "../maybe-promise.ts";
import type { AttemptState } from "./attempt-state.ts";

/** Where attempts are kept; it may answer asynchronously, and it may forget. */
export interface AttemptStore {
  get(key: string): MaybePromise<AttemptState | undefined>;
  set(key: string, state: AttemptState): MaybePromise<void>;
  delete(key: string): MaybePromise<void>;
}
