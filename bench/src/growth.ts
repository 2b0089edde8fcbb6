import type { Row } from "./benchmark.ts";
import type { RaceLength, Timing } from "./race.ts";

/** The same race with fewer rounds: the points of a curve are many, and what they show are factors of ten. */
export function shortened({ rounds, turnTime, warmRuns }: RaceLength): RaceLength {
  return { rounds: Math.ceil(rounds / 4), turnTime: turnTime / 2, warmRuns: warmRuns / 10 };
}

/** The points of a race at one place of the axis. */
export function pointsOf(timings: readonly Timing[], at: number): readonly Row[] {
  return timings.map(({ name, median, ratio, spread }) => ({
    name,
    at,
    value: median,
    unit: "µs",
    ratio,
    spread,
  }));
}
