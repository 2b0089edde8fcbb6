// Changes the product in small ways, one at a time, and reports which changes no test notices.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { chooseFiles } from "./choose-files.ts";
import { compileChecker } from "./compiles.ts";
import { applyMutant, findMutants, type Mutant } from "./mutant.ts";
import { Probes } from "./probes.ts";
import { measureReach, planTests, testsOf } from "./reach.ts";
import { describeResult, type Result, summarize } from "./report.ts";
import { killRunners, RunnerProcess } from "./runner-process.ts";
import { takeSample } from "./sample.ts";
import { SOURCES_FILE } from "./sources.ts";

const REPORT = ".artifacts/mutate/report.json";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    seconds: { type: "string", default: "20" },
    workers: { type: "string", default: `${availableParallelism()}` },
    everywhere: { type: "boolean", default: false },
  },
});
const budget = Number(values.seconds) * 1000;
const workers = Number(values.workers);

const files = chooseFiles(positionals);
const found = files.flatMap((file) => findMutants(file, readFileSync(file, "utf8")));
const mutants =
  values.sample === undefined
    ? found
    : takeSample(found, Number(values.sample), Number(values.seed));
if (mutants.length === 0) {
  console.log("No product file differs from main: name files or folders.");
  process.exit();
}
const tests = testsOf(mutants, values.everywhere);
console.log(
  `${mutants.length} of ${found.length} mutants in ${files.length} files; first ${tests.length} test files show what they reach`,
);

const folder = mkdtempSync(join(tmpdir(), "toolcontract-mutate-"));
process.on("exit", () => {
  killRunners();
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

const probes = new Probes();
const mutated = [...new Set(mutants.map(({ file }) => file))];
// Also those that are not in the sample: what runs while a file loads is judged by all tests that reach the file.
for (const mutant of found) if (mutated.includes(mutant.file)) probes.numberOf(mutant);
const reach = await measureReach(probes, mutated, tests, folder, workers);
for (const test of reach.failing) console.log(`left out, since it fails without a mutant: ${test}`);

const results: Result[] = [];
const compiles = compileChecker(mutated);
const queue = [...mutants];
await Promise.all(
  Array.from({ length: workers }, async (_, index) => {
    const runner = new RunnerProcess({ [SOURCES_FILE]: join(folder, `mutant-${index}.json`) });
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const result = await judge(mutant, runner);
      results.push(result);
      if (result.outcome !== "killed")
        console.log(describeResult(result, results.length, mutants.length));
    }
    runner.stop();
  }),
);

mkdirSync(".artifacts/mutate", { recursive: true });
writeFileSync(REPORT, JSON.stringify(results, undefined, 2));
console.log(summarize(results));
console.log(`All mutants with the tests that ran: ${REPORT}`);
process.exit();

async function judge(mutant: Mutant, runner: RunnerProcess): Promise<Result> {
  const siblings = probes.of(mutant.file).map(({ number }) => number);
  const planned = planTests(mutant, probes.numberOf(mutant), siblings, reach, budget);
  if (planned.length === 0) return { mutant, outcome: "not reached", tests: planned };
  const text = applyMutant(mutant, readFileSync(mutant.file, "utf8"));
  const known = planned.reduce((sum, test) => sum + (reach.milliseconds.get(test) ?? 0), 0);
  const job = { sources: { [resolve(mutant.file)]: text }, tests: planned };
  const limit = 20_000 + 3 * known;
  const first = await runner.run(job, limit);
  // A busy machine is slow too: only what does not end twice never ends.
  const answer = first === "timeout" ? await runner.run(job, 2 * limit) : first;
  if (typeof answer === "string")
    return { mutant, outcome: "killed", tests: planned, killer: answer };
  const killer = answer.find(({ failed }) => failed !== undefined);
  if (killer !== undefined) {
    return {
      mutant,
      outcome: "killed",
      tests: planned,
      killer: `${killer.file}: ${killer.failed}`,
    };
  }
  return { mutant, outcome: compiles(mutant) ? "survived" : "does not compile", tests: planned };
}
