import type { MaybePromise } from "../shared/index.ts";
import type { AttemptState } from "./attempt-state.ts";

/** Where attempts are kept; it may be asynchronous, and it may drop entries. */
export interface AttemptStore {
  /** Returns the state stored under a key, or undefined. */
  get(key: string): MaybePromise<AttemptState | undefined>;
  /** Stores a state under a key and replaces an earlier one. */
  set(key: string, state: AttemptState): MaybePromise<void>;
  /** Removes the state stored under a key. */
  delete(key: string): MaybePromise<void>;
}

/** Limits of a memory store. */
export interface MemoryStoreOptions {
  /** The maximum number of entries, one per tool and conversation; the least recently used are evicted (default 10,000). */
  readonly maxEntries?: number;
  /** Milliseconds after which an unused entry expires (default one hour). */
  readonly idleTime?: number;
  /** Milliseconds since some fixed moment; `Date.now` by default. */
  readonly clock?: () => number;
}

interface Entry {
  readonly state: AttemptState;
  readonly touchedAt: number;
}

/** Creates a store in this process's memory, bounded in entries and idle time; amortized O(1) per call. */
export function createMemoryStore(options: MemoryStoreOptions = {}): AttemptStore {
  const { maxEntries = 10_000, idleTime = 3_600_000, clock = Date.now } = options;
  // A Map iterates in insertion order, so re-inserting on every use keeps the stalest entry first.
  const entries = new Map<string, Entry>();
  // Finding the first entry skips the gaps of all deleted ones, so eviction runs only now and then.
  let touches = 0;
  const isStale = (entry: Entry, now: number): boolean => now - entry.touchedAt > idleTime;

  function touch(key: string, state: AttemptState, now: number): void {
    entries.delete(key);
    entries.set(key, { state, touchedAt: now });
  }

  function dropStalest(now: number): void {
    const isFull = entries.size > maxEntries;
    touches += 1;
    if (!isFull && touches < entries.size) return;
    touches = 0;
    const room = isFull ? maxEntries - Math.floor(maxEntries / 8) : maxEntries;
    for (const [key, entry] of entries) {
      if (entries.size <= room && !isStale(entry, now)) return;
      entries.delete(key);
    }
  }

  return {
    get: (key) => {
      const now = clock();
      const entry = entries.get(key);
      if (entry === undefined || isStale(entry, now)) return void entries.delete(key);
      touch(key, entry.state, now);
      return entry.state;
    },
    set: (key, state) => {
      const now = clock();
      touch(key, state, now);
      dropStalest(now);
    },
    delete: (key) => void entries.delete(key),
  };
}
