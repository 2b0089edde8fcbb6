import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runConformance } from "../run/index.ts";
import { SCENARIOS } from "../scenarios/index.ts";

const hasPython = spawnSync("python3", ["--version"]).status === 0;
// A process for each scenario: one of each kind is enough to see that the loop is read alike.
const KINDS = [
  "wrong-types",
  "cut-list",
  "misspelt-tool",
  "same-call-again",
  "loop-ends",
  "secret-in-broken-json",
  "number-beyond-2-53",
  "invalid-needs-approval",
];

test.skipIf(!hasPython)("nothing is wrong with a good loop in Python", async () => {
  const { checks } = await runConformance({
    program: `python3 ${join(import.meta.dirname, "good_loop.py")}`,
    scenarios: SCENARIOS.filter(({ id }) => KINDS.includes(id)),
    timeLimit: 100_000,
  });
  expect(checks.filter(({ passed }) => !passed)).toEqual([]);
  expect(new Set(checks.map(({ scenario }) => scenario)).size).toBe(KINDS.length);
});
