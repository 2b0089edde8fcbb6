import { SlotMap } from "@toolcontract/explain/adapter";
import type { AttemptState } from "./attempt-state.ts";
import type { AttemptChange, AttemptStore, AttemptUpdate } from "./attempt-store.ts";

/**
 * Limits of a memory store.
 *
 * @example
 * ```ts
 * const options: MemoryStoreOptions = { maxEntries: 1000, idleTime: 600_000 };
 * ```
 * @see docs/stores.md
 */
export interface MemoryStoreOptions {
  /**
   * The maximum number of entries, one per tool and conversation; the least recently used are evicted.
   *
   * @default 10,000
   */
  readonly maxEntries?: number;
  /**
   * Milliseconds after which an unused entry expires.
   *
   * @default 3,600,000: an hour
   */
  readonly idleTime?: number;
  /**
   * Milliseconds since some fixed moment.
   *
   * @default Date.now
   */
  readonly clock?: () => number;
}

interface KeptState {
  readonly state: AttemptState;
  readonly touchedAt: number;
}

/** A store whose every answer is there at once. */
export interface MemoryStore extends AttemptStore {
  /** Returns the state stored under a key. */
  get(key: string): AttemptState | undefined;
  /** Replaces the state by `change(before)`. */
  update(key: string, change: AttemptChange): AttemptUpdate;
  /** Removes the state stored under a key. */
  delete(key: string): void;
}

/**
 * Creates a store in this process's memory, bounded in entries and idle time; amortized O(1) per call.
 *
 * @example
 * ```ts
 * const contract = createContract({ store: createMemoryStore({ maxEntries: 1_000 }) });
 * ```
 * @see docs/stores.md
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  const { maxEntries = 10_000, idleTime = 3_600_000, clock = Date.now } = options;
  // Setting an entry again on every use keeps the stalest one first.
  const entries = new SlotMap<string, KeptState>();
  // Finding the first entry skips the gaps of all deleted ones, so eviction runs only now and then.
  let touches = 0;
  const isStale = (entry: KeptState, now: number): boolean => now - entry.touchedAt > idleTime;

  function touch(key: string, state: AttemptState, now: number): void {
    entries.set(key, { state, touchedAt: now });
  }

  function dropStalest(now: number): void {
    const isFull = entries.size > maxEntries;
    touches += 1;
    if (!isFull && touches < entries.size) return;
    touches = 0;
    const room = isFull ? maxEntries - Math.floor(maxEntries / 8) : maxEntries;
    for (const key of entries.keys()) {
      const entry = entries.get(key);
      if (entries.size <= room && !(entry && isStale(entry, now))) return;
      entries.take(key);
    }
  }

  function find(key: string, now: number): AttemptState | undefined {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    if (isStale(entry, now)) return void entries.take(key);
    return entry.state;
  }

  return {
    get: (key) => {
      const now = clock();
      const state = find(key, now);
      if (state !== undefined) touch(key, state, now);
      return state;
    },
    update: (key, change) => {
      const now = clock();
      const before = find(key, now);
      const after = change(before);
      if (after !== undefined) {
        touch(key, after, now);
        if (after !== before) dropStalest(now);
      } else if (before !== undefined) {
        entries.take(key);
      }
      return { before, after };
    },
    delete: (key) => void entries.take(key),
  };
}
