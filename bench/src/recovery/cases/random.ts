/** Random numbers that are the same on every run. */
export type Random = ReturnType<typeof randomFrom>;

/** Creates a generator from a seed string (FNV-1a into mulberry32). */
export function randomFrom(seed: string) {
  let state = 0x811c9dc5;
  for (const letter of seed) {
    state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  }
  /** From 0 up to, not including, 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  /** An integer below the limit. */
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    /** One of the items; the list must not be empty. */
    pick: <T>(items: readonly T[]) => items[below(items.length)] as T,
    /** One of the names, with a probability in proportion to its weight. */
    weighted<Name extends string>(weights: Readonly<Record<Name, number>>) {
      const entries = Object.entries(weights) as [Name, number][];
      let rest = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      return (entries.find(([, weight]) => (rest -= weight) < 0) ?? entries.at(-1))?.[0] as Name;
    },
    /** The items in random order. */
    shuffled: <T>(items: readonly T[]) =>
      items
        .map((item) => ({ item, key: next() }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ item }) => item),
  };
}
