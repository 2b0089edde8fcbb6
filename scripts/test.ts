// Every gate of the repository; with `--quick` those that take seconds, and the tests that a change reaches; with
// `--shard=1/3` the first of three parts.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isWhole } from "@toolcontract/case-table/whole";
import { readChange } from "./gates/change.ts";
import { runCommitSubjects } from "./gates/commit-subjects.ts";
import { runDemo } from "./gates/demo.ts";
import { packageGates } from "./gates/packages.ts";
import { quickGates } from "./gates/quick.ts";
import { runReleasePlan } from "./gates/release-plan.ts";
import { type Gate, runGate } from "./gates/run.ts";
import { runGates, shardOf } from "./gates/schedule.ts";
import { runSiteTests, runVitest } from "./gates/vitest.ts";

const { values: flags } = parseArgs({
  options: { quick: { type: "boolean" }, shard: { type: "string" } },
});
const SITE = "site";
// Other gates use the other cores; each thread would check the libraries again.
const TSC = "tsc --singleThreaded";
const LINT_THREADS = Math.ceil(availableParallelism() / 4);

const CHECKS: readonly Gate[] = [
  { name: "format", command: "oxfmt --check" },
  {
    name: "lint",
    command: `oxlint --type-aware --deny-warnings --threads=${LINT_THREADS}`,
    env: { GOMAXPROCS: String(LINT_THREADS) },
  },
  { name: "types", command: "node scripts/gates/types.ts" },
  // The types themselves are checked above.
  { name: "exported types are written out", command: `${TSC} -p tsconfig.build.json --noCheck` },
  { name: "types of core without Node", command: `${TSC} -p tsconfig.core.json` },
  { name: "types of the site", command: `${TSC} -p apps/site` },
];

const STATIC: readonly Gate[] = [
  { name: "unused code and dependencies", command: "node scripts/gates/unused.ts" },
  { name: "workspace manifests", command: "sherif --fail-on-warnings" },
  { name: "requirements have tests", command: "node scripts/trace.ts" },
  { name: "commit subjects", run: runCommitSubjects },
];

const FULL: readonly Gate[] = [
  // It takes as long as all others together, which run beside it.
  { name: "tests", run: () => runVitest(flags.shard), isStreamed: true, isSplit: true },
  ...CHECKS,
  { name: SITE, command: "vitepress build apps/site", env: { SITE_DRAFT: isWhole ? "0" : "1" } },
  { name: "tests of the site", run: runSiteTests, needs: SITE },
  ...STATIC,
  { name: "release plan", run: runReleasePlan },
  ...packageGates(),
  { name: "demo", run: runDemo },
];

mkdirSync(".artifacts", { recursive: true });
// What is installed in `apart` takes minutes, and is not a result of a run.
for (const name of readdirSync(".artifacts").filter((entry) => entry !== "apart"))
  rmSync(join(".artifacts", name), { recursive: true, force: true });
console.log(`Node ${process.version}`);

const gates = flags.quick === true ? quickGates(await readChange()) : FULL;

const tallies = await runGates(shardOf(gates, flags.shard), {
  atOnce: availableParallelism(),
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
  const time = tally.seconds === undefined ? "" : ` (${Math.round(tally.seconds)} s)`;
  console.log(`${verdict.padEnd(8)} ${name}${detail}${time}`);
  for (const failure of tally.failures ?? []) console.log(`         ${failure}`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
