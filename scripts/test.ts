// Every gate of the repository, in order; `--quick` stops after the tests of the sources.
import { mkdirSync, rmSync } from "node:fs";
import { runDemo } from "./gates/demo.ts";
import { packageGates } from "./gates/packages.ts";
import { runGate, type Gate, type Tally } from "./gates/run.ts";
import { runVitest } from "./gates/vitest.ts";

const QUICK: readonly Gate[] = [
  { name: "format", command: "oxfmt --check" },
  { name: "lint", command: "oxlint --type-aware --deny-warnings" },
  { name: "types", command: "tsc" },
  { name: "types of the published sources", command: "tsc -p tsconfig.build.json" },
  { name: "types of core without Node", command: "tsc -p tsconfig.core.json" },
  { name: "types of the site", command: "tsc -p apps/site" },
  { name: "tests", run: runVitest },
];

const FULL: readonly Gate[] = [
  ...QUICK,
  { name: "unused code and dependencies", command: "knip" },
  { name: "workspace manifests", command: "sherif --fail-on-warnings" },
  { name: "requirements have tests", command: "node scripts/trace.ts" },
  ...packageGates(),
  { name: "demo", run: runDemo },
];

rmSync(".artifacts", { recursive: true, force: true });
mkdirSync(".artifacts");
console.log(`Node ${process.version}`);

const tallies = new Map<string, Tally>();
for (const gate of process.argv.includes("--quick") ? QUICK : FULL) {
  const blocker = gate.needs === undefined ? undefined : tallies.get(gate.needs);
  if (blocker !== undefined && (blocker.failed > 0 || blocker.skipped)) {
    tallies.set(gate.name, { passed: 0, failed: 0, skipped: true });
    continue;
  }
  console.log(`\n── ${gate.name}`);
  tallies.set(gate.name, await runGate(gate));
}

let passed = 0;
let failed = 0;
console.log("\n── summary");
// Failed gates come last: often only the end of a log is kept.
const inOrder = [...tallies].toSorted(
  ([, a], [, b]) => Number(a.failed > 0) - Number(b.failed > 0),
);
for (const [name, tally] of inOrder) {
  passed += tally.passed;
  failed += tally.failed;
  const verdict = tally.skipped ? "skipped" : tally.failed > 0 ? "FAILED" : "passed";
  const detail = tally.detail === undefined ? "" : `: ${tally.detail}`;
  console.log(`${verdict.padEnd(8)} ${name}${detail}`);
  for (const failure of tally.failures ?? []) console.log(`         ${failure}`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
