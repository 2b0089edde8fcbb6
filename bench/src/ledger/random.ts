/** Random choices that a seed repeats. */
export interface Random {
  /** A whole number from 0, below `end`. */
  below(end: number): number;
  /** True in so many of a hundred cases. */
  percent(chance: number): boolean;
  pick<T>(values: readonly [T, ...T[]]): T;
}

/** Creates random choices from a seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    percent: (chance) => next() * 100 < chance,
    pick: (values) => values[below(values.length)] ?? values[0],
  };
}
