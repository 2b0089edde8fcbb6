/** A map that keeps the most recently used entries only. */
export interface RecentMap<K, V> {
  /** Finds an entry, which is the most recently used one from then on. */
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  /** Takes an entry out and hands it back. */
  take(key: K): V | undefined;
  /** All that is kept, the least recently used one first. */
  values(): Iterable<V>;
  readonly size: number;
}

/** Makes a map of at most `max` entries; the least recently used one goes first. */
export function createRecentMap<K, V>(max: number): RecentMap<K, V> {
  // A Map iterates in the order of insertion, so re-inserting on every use keeps the stalest entry first.
  const entries = new Map<K, V>();

  function set(key: K, value: V): void {
    entries.delete(key);
    entries.set(key, value);
    if (entries.size <= max) return;
    for (const oldest of entries.keys()) {
      entries.delete(oldest);
      return;
    }
  }

  return {
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set,
    take(key) {
      const value = entries.get(key);
      entries.delete(key);
      return value;
    },
    values: () => entries.values(),
    get size() {
      return entries.size;
    },
  };
}
