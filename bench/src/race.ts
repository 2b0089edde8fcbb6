import type { Row } from "./benchmark.ts";

/** One way to do a job, measured against the others of the same race. */
export interface Contestant {
  readonly name: string;
  /** Does the job once for everything in its corpus; what it returns keeps the work from being dropped. */
  run(): unknown;
}

/** How long a race is. */
export interface RaceLength {
  readonly rounds: number;
  /** What one contestant's turn in a round takes at least, in milliseconds. */
  readonly turnTime: number;
  /** How often a contestant runs before the first round, within a bound of time. */
  readonly warmRuns: number;
}

/** Long enough for a ratio to be within a few hundredths from run to run. */
export const FULL: RaceLength = { rounds: 21, turnTime: 20, warmRuns: 3_000 };

/** Long enough to see that everything runs. */
export const QUICK: RaceLength = { rounds: 3, turnTime: 0.5, warmRuns: 5 };

const WARM_TURNS = 25;

/** What a contestant took for one run. */
export interface Timing {
  readonly name: string;
  /** Microseconds, the median of all rounds. */
  readonly median: number;
  /** Times the first contestant's turn of the same round, the median of all rounds. */
  readonly ratio: number;
  /** The quartiles of that ratio. */
  readonly spread: readonly [lower: number, upper: number];
}

/**
 * Runs contestants in turns (A B, B A, A B, …), so that whatever slows the machine down meets all of them.
 *
 * Ratios are formed within a round, because neighbours in time are the only fair comparison.
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

/** Runs until the engine has optimised what it will; answers how many runs fill a turn. */
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

/** Microseconds for one run, over a turn of many: the process's own time, so that others on the machine do not count. */
async function takeTurn(contestant: Contestant, runs: number): Promise<number> {
  const start = process.cpuUsage();
  for (let run = 0; run < runs; run += 1) await contestant.run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / runs;
}

/** The middle value, or the mean of the middle two. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which that share of the others lies, between two of them where none is right there. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const lower = sorted[Math.floor(place)] ?? Number.NaN;
  const upper = sorted[Math.ceil(place)] ?? Number.NaN;
  return lower + (upper - lower) * (place - Math.floor(place));
}

/** The rows of a race in which a run did the job for many calls. */
export function perCall(timings: readonly Timing[], calls: number): readonly Row[] {
  return timings.map(({ name, median: time, ratio, spread }) => ({
    name,
    value: time / calls,
    unit: "µs a call",
    ratio,
    spread,
  }));
}
