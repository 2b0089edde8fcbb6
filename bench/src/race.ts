import type { Row } from "./row.ts";

/** One way to do a job, compared with the others of the same race. */
export interface Contestant {
  readonly name: string;
  /** Does the job once for the whole corpus; the result keeps the engine from dropping the work. */
  run(): unknown;
}

/** How long a race is. */
export interface RaceLength {
  readonly rounds: number;
  /** The minimum duration of a contestant's turn in a round, in milliseconds. */
  readonly turnTime: number;
  /** How often a contestant runs before the first round, within a time limit. */
  readonly warmRuns: number;
}

/** Long enough for ratios to vary by a few hundredths only. */
export const FULL: RaceLength = { rounds: 21, turnTime: 20, warmRuns: 3_000 };

/** Long enough to see that everything runs. */
export const QUICK: RaceLength = { rounds: 3, turnTime: 0.5, warmRuns: 5 };

const WARM_TURNS = 25;

/** The time a contestant takes for one run. */
export interface Timing {
  readonly name: string;
  /** Microseconds, the median of all rounds. */
  readonly median: number;
  /** Relative to the first contestant in the same round, the median of all rounds. */
  readonly ratio: number;
  /** The quartiles of that ratio. */
  readonly spread: readonly [lower: number, upper: number];
}

/**
 * Runs contestants in turns (A B, B A, A B, …), so that whatever slows down the machine affects all of them.
 *
 * Ratios are taken within a round: only turns close in time compare fairly.
 */
export async function race(
  contestants: readonly Contestant[],
  length: RaceLength,
): Promise<readonly Timing[]> {
  const runs: number[] = [];
  for (const contestant of contestants) runs.push(await warmUp(contestant, length));
  const times: number[][] = contestants.map(() => []);
  const order = [...contestants.keys()];
  for (let round = 0; round < length.rounds; round += 1) {
    for (const index of order) {
      const contestant = contestants[index] as Contestant;
      times[index]?.push(await takeTurn(contestant, runs[index] ?? 1));
    }
    order.reverse();
  }
  const [first = []] = times;
  return contestants.map(({ name }, index) => {
    const own = times[index] ?? [];
    const ratios = own.map((time, round) => time / (first[round] ?? Number.NaN));
    const spread = [quantile(ratios, 0.25), quantile(ratios, 0.75)] as const;
    return { name, median: median(own), ratio: median(ratios), spread };
  });
}

/** Runs until the engine has optimised the code; returns how many runs fill a turn. */
async function warmUp(contestant: Contestant, { turnTime, warmRuns }: RaceLength): Promise<number> {
  let runs = 1;
  let done = 0;
  let spent = 0;
  let latest = 0;
  while (latest * runs < turnTime || (done < warmRuns && spent < WARM_TURNS * turnTime)) {
    if (latest * runs < turnTime) runs *= 2;
    latest = (await takeTurn(contestant, runs)) / 1_000;
    done += runs;
    spent += latest * runs;
  }
  return runs;
}

/** Microseconds per run over a turn, in processor time: other processes do not count. */
async function takeTurn(contestant: Contestant, runs: number): Promise<number> {
  const start = process.cpuUsage();
  for (let run = 0; run < runs; run += 1) await contestant.run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / runs;
}

/**
 * Times each run by the clock and takes the median run: what one caller waits for, without the pauses that a few runs meet.
 *
 * Contestants take turns as in a race; a run must do one thing.
 */
export async function raceRuns(
  contestants: readonly Contestant[],
  length: RaceLength,
): Promise<readonly Timing[]> {
  const times: number[][][] = contestants.map(() => []);
  const order = [...contestants.keys()];
  for (let round = 0; round <= length.rounds; round += 1) {
    for (const index of order) {
      const turn = await clockRuns(contestants[index] as Contestant, length.turnTime);
      // The first round warms up.
      if (round > 0) times[index]?.push(turn);
    }
    order.reverse();
  }
  const [first = []] = times.map((turns) => turns.map(median));
  return contestants.map(({ name }, index) => {
    const turns = times[index] ?? [];
    const ratios = turns.map((turn, round) => median(turn) / (first[round] ?? Number.NaN));
    const spread = [quantile(ratios, 0.25), quantile(ratios, 0.75)] as const;
    return { name, median: median(turns.flat()), ratio: median(ratios), spread };
  });
}

const RUNS_PER_MILLISECOND = 100;

/** Microseconds of each of a number of runs. */
async function clockRuns(contestant: Contestant, turnTime: number): Promise<number[]> {
  const runs = Math.ceil(turnTime * RUNS_PER_MILLISECOND);
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now();
    await contestant.run();
    times.push((performance.now() - start) * 1_000);
  }
  return times;
}

/** The median. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The quantile, interpolated between neighbours. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const lower = sorted[Math.floor(place)] ?? Number.NaN;
  const upper = sorted[Math.ceil(place)] ?? Number.NaN;
  return lower + (upper - lower) * (place - Math.floor(place));
}

/** Converts timings of runs over many calls to rows per call. */
export function perCall(timings: readonly Timing[], calls: number): readonly Row[] {
  return timings.map(({ name, median: time, ratio, spread }) => ({
    name,
    value: time / calls,
    unit: "µs a call",
    ratio,
    spread,
  }));
}

/** Shortens a race for the many points of a curve, where only orders of magnitude matter. */
export function shortened({ rounds, turnTime, warmRuns }: RaceLength): RaceLength {
  return { rounds: Math.ceil(rounds / 4), turnTime: turnTime / 2, warmRuns: warmRuns / 10 };
}

/** Converts timings to curve points at one position of the axis. */
export function pointsOf(timings: readonly Timing[], at: number): readonly Row[] {
  return timings.map(({ name, median: value, ratio, spread }) => ({
    name,
    at,
    value,
    unit: "µs",
    ratio,
    spread,
  }));
}
