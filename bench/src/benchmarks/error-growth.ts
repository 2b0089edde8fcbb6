import type { Benchmark } from "../benchmark.ts";
import type { Row } from "../row.ts";
import { pointsOf, race, shortened } from "../race.ts";
import { callWithFaults, importRecords } from "../import-records.ts";
import { rejectingInProcess } from "../rejecting.ts";

const COUNTS = {
  full: [1, 10, 100, 1_000, 10_000, 100_000],
  quick: [1, 100],
} as const;

/** Measures how the cost and the length of a rejection grow with the number of faults. */
export const errorGrowth: Benchmark = {
  name: "error-growth",
  about: "an invalid call, by its number of faults",
  async run({ length, isQuick }) {
    const times: Row[] = [];
    const lengths: Row[] = [];
    const sides = await Promise.all(
      rejectingInProcess.map(async ({ name, prepare }) => ({
        name,
        reject: await prepare(importRecords),
      })),
    );
    for (const at of COUNTS[isQuick ? "quick" : "full"]) {
      const { text } = callWithFaults(at);
      for (const { name, reject } of sides) {
        lengths.push({ name, at, value: (await reject(text)).length, unit: "characters" });
      }
      const contestants = sides.map(({ name, reject }) => ({ name, run: () => reject(text) }));
      times.push(...pointsOf(await race(contestants, shortened(length)), at));
    }
    const axis = "faults of the call";
    return [
      { title: "time of the rejection", axis, rows: times },
      { title: "length of its message", axis, rows: lengths },
    ];
  },
};
