import { cpuUsage } from "node:process";
import { expect } from "vitest";

// Of 4 times the input, linear work costs about as much as 4 small inputs, and quadratic work as 16.
const TIMES_THE_INPUT = 4;
const TIMES_THE_COST = 3;
// What lies in more memory is found less often in a cache.
const TIMES_AMONG_MANY = 6;
// Costs below this are noise.
const NOISE = 12;
const ROUNDS = 3;
// Collecting the garbage of a large input can take as long as the work, on a busy machine several times in a row.
const MOST_ROUNDS = 12;

let unit: number | undefined;

/**
 * Starts a meter; the function it returns gives the cost of the work since then.
 *
 * The unit is a fixed piece of work, measured in the same process, that takes about a millisecond on current machines.
 * Both are CPU time, so a busy or slow machine changes the result little.
 */
export function countCost(): () => number {
  unit ??= referenceTime();
  const divisor = unit;
  const start = cpuUsage();
  return () => microseconds(start) / divisor;
}

/**
 * Expects the cost of work to grow no faster than its input; `prepare` returns the work for an input of that size.
 *
 * The small input is worked on as many times as the large one is larger, since the garbage of one small run may never be
 * collected while its cost is counted.
 */
export async function expectLinearCost(
  prepare: (size: number) => () => unknown,
  size: number,
): Promise<void> {
  const small = prepare(size);
  const repeated = async (): Promise<void> => {
    for (let times = 0; times < TIMES_THE_INPUT; times += 1) await small();
  };
  await expectCosts([repeated, prepare(size * TIMES_THE_INPUT)], TIMES_THE_COST);
}

/** Expects the same work to cost about the same among few things and among many; `prepare` returns the work. */
export async function expectSimilarCost(
  prepare: (size: number) => () => unknown,
  sizes: readonly [few: number, many: number],
): Promise<void> {
  const [few, many] = sizes;
  await expectCosts([prepare(few), prepare(many)], TIMES_AMONG_MANY);
}

/** Expects work to cost less than so many units, in the best of some runs; a run below the limit is the last. */
export async function expectCostBelow(limit: number, work: () => unknown): Promise<void> {
  expect(await lowestCost(work, MOST_ROUNDS, limit)).toBeLessThan(limit);
}

async function expectCosts(
  [base, compared]: readonly [() => unknown, () => unknown],
  times: number,
): Promise<void> {
  const limit = Math.max(times * (await lowestCost(base, ROUNDS)), NOISE);
  await expectCostBelow(limit, compared);
}

/**
 * The lowest of some runs, which leaves out compilation and the collection of earlier garbage.
 *
 * A run below `enough` is the last: more of them could only be lower.
 */
async function lowestCost(work: () => unknown, rounds: number, enough = 0): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && lowest >= enough; round += 1) {
    const cost = countCost();
    await work();
    lowest = Math.min(lowest, cost());
  }
  return lowest;
}

/** The CPU time of the unit in microseconds, the median of many rounds. */
function referenceTime(): number {
  const items = Array.from({ length: 2_000 }, (_, id) => ({ id, name: `item ${id}`, tags: ["a"] }));
  const text = JSON.stringify(items);
  const times = Array.from({ length: 41 }, () => {
    const start = cpuUsage();
    JSON.stringify(JSON.parse(text));
    return microseconds(start);
  });
  return times.toSorted((one, other) => one - other)[20] ?? Number.NaN;
}

function microseconds(start: NodeJS.CpuUsage): number {
  const { user, system } = cpuUsage(start);
  return user + system;
}
