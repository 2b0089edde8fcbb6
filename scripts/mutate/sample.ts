/** Some items of a list, the same ones for a seed, in the order of the list. */
export function takeSample<Item>(
  items: readonly Item[],
  size: number,
  seed: number,
): readonly Item[] {
  const random = randomFrom(seed);
  const drawn = items.map((item, index) => ({ item, index, lot: random() }));
  return drawn
    .toSorted((a, b) => a.lot - b.lot)
    .slice(0, size)
    .toSorted((a, b) => a.index - b.index)
    .map(({ item }) => item);
}

/** Mulberry32, from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
