// `pnpm bench:recovery [system…] [--corpus <folder>] [--quick] [--out <folder>]`: what the message carries.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { BFCL_ORIGIN, readBfclCorpus } from "../corpus.ts";
import { readMcpCorpus } from "../mcp-corpus.ts";
import { hintOutcomes, hintSets } from "../hints/report.ts";
import { originOf } from "../origin.ts";
import { FULL, QUICK, recoveryCases } from "./cases/recovery-cases.ts";
import { measureSystem, type SystemResult } from "./measure/measure-system.ts";
import { brokenPromises, recoveryReport } from "./report.ts";
import { allSystems } from "./systems/all-systems.ts";

const root = resolve(import.meta.dirname, "../../..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    corpus: { type: "string", default: resolve(root, "../shared/data/bfcl") },
    out: { type: "string", default: resolve(root, ".artifacts/recovery") },
    quick: { type: "boolean", default: false },
  },
});

const real = readBfclCorpus(resolve(root, values.corpus));
if (real === undefined) {
  console.error(
    `Without real calls: no calls.jsonl in ${values.corpus} (from the ${BFCL_ORIGIN}).`,
  );
}
const print = console.log.bind(console);
// Some frameworks print every invalid call.
for (const level of ["log", "info", "warn", "error"] as const) console[level] = () => undefined;

const servers = await readMcpCorpus();
const cases = recoveryCases(servers, real, values.quick ? QUICK : FULL);
const systems = allSystems().filter(
  ({ name, schema }) =>
    positionals.length === 0 || positionals.some((part) => `${name} ${schema}`.includes(part)),
);
const results: SystemResult[] = [];
for (const system of systems) {
  const start = performance.now();
  results.push(await measureSystem(system, cases));
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  process.stderr.write(`${system.name}, ${system.schema}: ${seconds} s\n`);
}

const origin = originOf(systems.flatMap(({ packages }) => packages));
const hints = hintSets(hintOutcomes(servers, real));
const report = recoveryReport({ origin, results, hints });
mkdirSync(values.out, { recursive: true });
writeFileSync(
  join(values.out, "recovery.json"),
  JSON.stringify({ origin, results, hints }, null, 2),
);
writeFileSync(join(values.out, "recovery.md"), `${report}\n`);
print(report);
process.exitCode = results.some((result) => brokenPromises(result).length > 0) ? 1 : 0;
