import { SlotMap } from "./slot-map.ts";

const MAX_MEMOIZED_LENGTH = 64;
const MAX_MEMOIZED = 2_000;
const MAX_SEEN_KEYS = 1_000;

/** A map that keeps only the most recently used entries. */
export interface RecentMap<K, V> {
  /** Returns an entry and makes it the most recently used one. */
  get(key: K): V | undefined;
  /** Adds or replaces an entry and makes it the most recently used one. */
  set(key: K, value: V): void;
  /** Removes an entry and returns it. */
  take(key: K): V | undefined;
  /** All values, the least recently used one first. */
  values(): Iterable<V>;
  /** How many entries there are. */
  readonly size: number;
}

/** Creates a map of at most `max` entries; the least recently used one is evicted first. */
export function createRecentMap<K, V>(max: number): RecentMap<K, V> {
  // Setting an entry again on every use keeps the stalest one first.
  const entries = new SlotMap<K, V>();
  /** Goes on where the last eviction ended: a new one would pass the gaps of all that were evicted before. */
  let stalest: MapIterator<K> | undefined;

  function set(key: K, value: V): void {
    entries.set(key, value);
    if (entries.size <= max) {
      // It keeps alive what the map has outgrown.
      stalest = undefined;
      return;
    }
    stalest ??= entries.keys();
    entries.take(stalest.next().value as K);
  }

  return {
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) entries.set(key, value);
      return value;
    },
    set,
    take: (key) => entries.take(key),
    values: () => entries.values(),
    get size() {
      return entries.size;
    },
  };
}

/** Creates a function that returns true the first time it sees a key; it remembers the last 1,000 keys. */
export function createSeenOnce(): (key: string) => boolean {
  const seen = createRecentMap<string, true>(MAX_SEEN_KEYS);
  return (key) => {
    if (seen.get(key)) return false;
    seen.set(key, true);
    return true;
  };
}

/**
 * Memoizes a function of a string, with bounded memory: the names and words of a schema recur with every call.
 *
 * @remarks Strings over `maxLength` are not cached. The cache outlives the call, so never pass it values that a
 * model sent.
 */
export function remembered<T>(
  compute: (text: string) => T,
  maxLength: number = MAX_MEMOIZED_LENGTH,
): (text: string) => T {
  const cache = new Map<string, { readonly result: T }>();
  return (text) => {
    if (text.length > maxLength) return compute(text);
    const cached = cache.get(text);
    if (cached) return cached.result;
    if (cache.size >= MAX_MEMOIZED) cache.clear();
    const result = compute(text);
    cache.set(text, { result });
    return result;
  };
}
