import { addAmounts } from "@toolcontract/core/adapter";

/** What was spent in one account, by when it ended. */
export interface SpentAmounts {
  /** Adds an amount; calls end in any order, and clocks are set back. */
  add(at: number, amount: number): void;
  /** The sum of what ended after a time, or of everything. */
  sum(after?: number): number;
  /**
   * Forgets what ended at a time or before, and once there is much, keeps one sum for each minute of what ended at `after` or before: the
   * sum counts for as long as the latest part of it.
   */
  tidy(before: number, after: number): void;
}

const MANY = 4_096;
const MINUTE = 60_000;

/** Creates the amounts of an account in which nothing is spent. */
export function createSpentAmounts(): SpentAmounts {
  let times: number[] = [];
  /** What was spent up to each of them. */
  let sums: number[] = [];
  let most = MANY;

  /** How many ended at a time or before. */
  function countUntil(time: number): number {
    let [low, high] = [0, times.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((times[middle] ?? 0) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  const sumUntil = (count: number): number => (count === 0 ? 0 : (sums[count - 1] ?? 0));

  function keep(isKept: (index: number) => boolean, dropped: number): void {
    const left = times.map((_, index) => index).filter(isKept);
    sums = left.map((index) => addAmounts(sums[index] ?? 0, -dropped));
    times = left.map((index) => times[index] ?? 0);
  }

  return {
    add(at, amount) {
      const until = countUntil(at);
      const isKnown = until > 0 && times[until - 1] === at;
      const index = isKnown ? until - 1 : until;
      if (!isKnown) {
        times.splice(index, 0, at);
        sums.splice(index, 0, sumUntil(index));
      }
      for (let later = index; later < sums.length; later += 1) {
        sums[later] = addAmounts(sums[later] ?? 0, amount);
      }
    },
    sum(after) {
      const all = sumUntil(times.length);
      return after === undefined ? all : addAmounts(all, -sumUntil(countUntil(after)));
    },
    tidy(before, after) {
      if (times.length <= most) return;
      const old = countUntil(before);
      const past = countUntil(after);
      const minute = (index: number): number => Math.floor((times[index] ?? 0) / MINUTE);
      // The sums are those up to each time, so the last of a minute holds all of it.
      const isLast = (index: number): boolean =>
        index >= past - 1 || minute(index) !== minute(index + 1);
      keep((index) => index >= old && isLast(index), sumUntil(old));
      most = Math.max(MANY, 2 * times.length);
    },
  };
}
