// `pnpm bench:speed [names…] [--corpus <folder>] [--quick | --long] [--out <folder>]`: what the contract costs.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { BENCHMARKS } from "./benchmarks.ts";
import { BFCL_ORIGIN, readBfclCorpus, thinOut } from "./corpus.ts";
import { readMcpCorpus } from "./mcp-corpus.ts";
import { plainTables } from "./plain-table.ts";
import { FULL, QUICK } from "./race.ts";
import { originOf } from "./origin.ts";
import { type Measured, type SpeedResults, thisMachine } from "./report/results.ts";

const QUICK_CALLS = 20;
const root = resolve(import.meta.dirname, "../..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    corpus: { type: "string", default: resolve(root, "../shared/data/bfcl") },
    out: { type: "string", default: resolve(root, ".artifacts/speed") },
    quick: { type: "boolean", default: false },
    long: { type: "boolean", default: false },
  },
});

const chosen = BENCHMARKS.filter(
  ({ name }) => positionals.length === 0 || positionals.includes(name),
);
if (chosen.length === 0) {
  console.error(`The benchmarks are ${BENCHMARKS.map(({ name }) => name).join(", ")}.`);
  process.exit(1);
}

const isQuick = values.quick;
const bfcl = readBfclCorpus(resolve(root, values.corpus));
if (bfcl === undefined) {
  console.error(
    `Without real calls: there is no calls.jsonl in ${values.corpus}.\n` +
      `The calls come from the ${BFCL_ORIGIN}.\n` +
      'Write one line a call, { "tool": { "name", "inputSchema" }, "arguments" }, and pass --corpus <folder>.\n',
  );
}
const all = [await readMcpCorpus(), ...(bfcl ? [bfcl] : [])];
const corpora = isQuick
  ? all.map(({ name, calls }) => ({ name, calls: thinOut(calls, QUICK_CALLS) }))
  : all;

const results: Measured[] = [];
for (const benchmark of chosen) {
  const start = performance.now();
  const tables = await benchmark.run({
    corpora,
    length: isQuick ? QUICK : FULL,
    isQuick,
    isLong: values.long,
  });
  results.push({ name: benchmark.name, about: benchmark.about, tables });
  console.log(`${plainTables(benchmark, tables)}\n`);
  process.stderr.write(
    `${benchmark.name}: ${((performance.now() - start) / 1_000).toFixed(1)} s\n`,
  );
}
console.log("Times are medians and hold for this machine and this moment; compare the ratios.");

const isAll = chosen.length === BENCHMARKS.length;
const file = isAll ? "speed.json" : `speed-${chosen.map(({ name }) => name).join("-")}.json`;
mkdirSync(values.out, { recursive: true });
writeFileSync(join(values.out, file), `${JSON.stringify(speedResults(), null, 2)}\n`);

function speedResults(): SpeedResults {
  const manifest = readFileSync(join(root, "bench/package.json"), "utf8");
  const { dependencies } = JSON.parse(manifest) as { readonly dependencies: object };
  return { origin: originOf(Object.keys(dependencies)), machine: thisMachine(), isQuick, results };
}
