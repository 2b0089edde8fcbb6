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

const MAX_LENGTH = 64;
const MAX_TEXTS = 2_000;

/**
 * The function with a bounded memory: the names and words of schemas come again with every call.
 *
 * @remarks Longer texts are neither kept nor looked for. What is kept stays, so sent values may not be asked for.
 */
export function remembered<T>(
  compute: (text: string) => T,
  maxLength: number = MAX_LENGTH,
): (text: string) => T {
  const known = new Map<string, { readonly answer: T }>();
  return (text) => {
    if (text.length > maxLength) return compute(text);
    const found = known.get(text);
    if (found) return found.answer;
    if (known.size >= MAX_TEXTS) known.clear();
    const answer = compute(text);
    known.set(text, { answer });
    return answer;
  };
}

const MAX_KEYS = 1_000;

/** Makes a function that says yes to a key once; it remembers the latest thousand keys. */
export function createSeenOnce(): (key: string) => boolean {
  const seen = createRecentMap<string, true>(MAX_KEYS);
  return (key) => {
    if (seen.get(key)) return false;
    seen.set(key, true);
    return true;
  };
}
