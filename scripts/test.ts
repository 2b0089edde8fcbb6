// Every gate of the repository; `--quick` stops after the tests of the sources.
import { mkdirSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { runDemo } from "./gates/demo.ts";
import { packageGates } from "./gates/packages.ts";
import { runReleasePlan } from "./gates/release-plan.ts";
import { type Gate, runGate } from "./gates/run.ts";
import { runGates } from "./gates/schedule.ts";
import { runSiteTests, runVitest } from "./gates/vitest.ts";

const SITE = "site";
const CORES = availableParallelism();
// Each checker checks the libraries again.
const TSC = `tsc --checkers ${CORES}`;

const CHECKS: readonly Gate[] = [
  { name: "format", command: "oxfmt --check" },
  { name: "lint", command: "oxlint --type-aware --deny-warnings", isAlone: true },
  { name: "types", command: TSC, isAlone: true },
  {
    name: "types of the published sources",
    command: `${TSC} -p tsconfig.build.json`,
    isAlone: true,
  },
  { name: "types of core without Node", command: `${TSC} -p tsconfig.core.json` },
  { name: "types of the site", command: `${TSC} -p apps/site` },
];

/** It waits for processes much of the time, so that the gates after it run beside it. */
const TESTS: Gate = { name: "tests", run: runVitest, isStreamed: true };

const FULL: readonly Gate[] = [
  ...CHECKS,
  TESTS,
  { name: SITE, command: "vitepress build apps/site" },
  { name: "unused code and dependencies", command: "knip" },
  { name: "workspace manifests", command: "sherif --fail-on-warnings" },
  { name: "requirements have tests", command: "node scripts/trace.ts" },
  { name: "release plan", run: runReleasePlan },
  ...packageGates(),
  { name: "demo", run: runDemo },
  { name: "tests of the site", run: runSiteTests, needs: SITE, isAlone: true },
];

rmSync(".artifacts", { recursive: true, force: true });
mkdirSync(".artifacts");
console.log(`Node ${process.version}`);

const tallies = await runGates(process.argv.includes("--quick") ? [...CHECKS, TESTS] : FULL, {
  atOnce: CORES,
  run: runGate,
  print: (text) => console.log(text),
});

let passed = 0;
let failed = 0;
console.log("\n── summary");
// Failed gates come last: often only the end of a log is kept.
const inOrder = [...tallies].toSorted(
  ([, a], [, b]) => Number(a.failed > 0) - Number(b.failed > 0),
);
for (const [{ name }, tally] of inOrder) {
  passed += tally.passed;
  failed += tally.failed;
  const verdict = tally.skipped ? "skipped" : tally.failed > 0 ? "FAILED" : "passed";
  const detail = tally.detail === undefined ? "" : `: ${tally.detail}`;
  console.log(`${verdict.padEnd(8)} ${name}${detail}`);
  for (const failure of tally.failures ?? []) console.log(`         ${failure}`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
