import fc from "fast-check";
import { expect, test } from "vitest";
import { runsOf, SEED } from "./seeded-properties.ts";

test("a test that imports fast-check gets the seed and the number of runs", () => {
  let runs = 0;
  fc.assert(
    fc.property(fc.nat(), () => {
      runs += 1;
    }),
    { numRuns: 300 },
  );
  expect([runs, fc.readConfigureGlobal().seed]).toEqual([runsOf(300), SEED]);
});
