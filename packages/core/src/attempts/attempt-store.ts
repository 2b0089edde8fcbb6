import type { MaybePromise } from "@toolcontract/explain/adapter";
import type { AttemptState } from "./attempt-state.ts";
import { ownState, stateFrom } from "./stored-state.ts";

/** Where attempts are kept; it may be asynchronous, and it may drop entries. */
export interface AttemptStore {
  /** Returns the state stored under a key, perhaps slightly old, and renews its idle time. */
  get(key: string): MaybePromise<AttemptState | null | undefined>;
  /** Replaces the state by `change(before)`, with no other write of that key in between. */
  update(key: string, change: AttemptChange): MaybePromise<AttemptUpdate>;
  /** Removes the state stored under a key. */
  delete(key: string): MaybePromise<void>;
  /** Why the store counts without its engine at the moment: a new object each time that it begins to. */
  readonly outage?: StoreOutage | undefined;
}

/**
 * Returns what is to be stored instead of `before`: undefined removes it, and `before` itself writes nothing.
 *
 * It is synchronous and has no effects. A store may call it again with a newer state; the last answer counts.
 *
 * @param now - The time by the engine's clock in milliseconds, if all users of the store share one.
 */
export type AttemptChange = (
  before: AttemptState | undefined,
  now?: number,
) => AttemptState | undefined;

/** What an update found, and what it left. */
export interface AttemptUpdate {
  /** The state that `change` was given last. */
  readonly before: AttemptState | undefined;
  /** What `change` made of it, which is stored now. */
  readonly after: AttemptState | undefined;
}

/** A time in which a store works without its engine. */
export interface StoreOutage {
  /** What the engine threw. */
  readonly cause: unknown;
}

/** What the option `store` must be, to complete the sentence "must be …". */
export const STORE_WANTED =
  "an AttemptStore with get, update and delete, such as createLocalStore({ get, set, delete }) returns";

/**
 * Returns the state that a store answered, read as foreign data: undefined for one with a count that is none, such as NaN.
 * Throws if it is not a state at all, because then nobody knows what is counted.
 */
export function stateOf(answer: AttemptState | null | undefined): AttemptState | undefined {
  // Key-value stores return null for a missing key.
  if (answer === null || answer === undefined) return undefined;
  if (typeof answer.failed === "number" && Array.isArray(answer.history)) return stateFrom(answer);
  throw new TypeError("A store answers with a state that is none.");
}

/** A change that reads what the store holds, and leaves it if nothing changes. */
export function readingChange(change: AttemptChange): AttemptChange {
  return (before, now) => {
    const found = stateOf(before);
    const after = change(found, now);
    if (after === found && found !== undefined) return before;
    return after && ownState(after);
  };
}

/** Returns what an update found and left; throws if the store answered anything else. */
export function updateOf(answer: AttemptUpdate | null | undefined): AttemptUpdate {
  if (typeof answer !== "object" || answer === null || !("after" in answer)) {
    throw new TypeError("A store's update must answer { before, after }.");
  }
  return { before: stateOf(answer.before), after: stateOf(answer.after) };
}

/** Whether a value has the methods of a store. */
export function isStore(value: unknown): value is AttemptStore {
  if (typeof value !== "object" || value === null) return false;
  const store = value as Readonly<Record<string, unknown>>;
  return ["get", "update", "delete"].every((name) => typeof store[name] === "function");
}
