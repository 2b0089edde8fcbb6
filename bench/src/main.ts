// `pnpm bench [names…] [--corpus <folder>] [--quick] [--json]`: runs the benchmarks and prints what they found.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { BENCHMARKS } from "./benchmarks.ts";
import type { Table } from "./benchmark.ts";
import { BFCL_ORIGIN, readBfclCorpus } from "./bfcl-corpus.ts";
import { readMcpCorpus } from "./mcp-corpus.ts";
import { plainTables } from "./plain-table.ts";
import { FULL, QUICK } from "./race.ts";

const root = resolve(import.meta.dirname, "../..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    corpus: { type: "string", default: resolve(root, "../shared/data/bfcl") },
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

const chosen = BENCHMARKS.filter(
  ({ name }) => positionals.length === 0 || positionals.includes(name),
);
if (chosen.length === 0) {
  console.error(`The benchmarks are ${BENCHMARKS.map(({ name }) => name).join(", ")}.`);
  process.exit(1);
}

const bfcl = readBfclCorpus(resolve(root, values.corpus));
if (bfcl === undefined) {
  console.error(
    `Without real calls: there is no calls.jsonl in ${values.corpus}.\n` +
      `The calls come from the ${BFCL_ORIGIN}.\n` +
      'Write one line a call, { "tool": { "name", "inputSchema" }, "arguments" }, and pass --corpus <folder>.\n',
  );
}
const corpora = [await readMcpCorpus(), ...(bfcl ? [bfcl] : [])];
const length = values.quick ? QUICK : FULL;

const results: Record<string, readonly Table[]> = {};
for (const benchmark of chosen) {
  const tables = await benchmark.run({ corpora, length });
  results[benchmark.name] = tables;
  if (!values.json) console.log(`${plainTables(benchmark, tables)}\n`);
}
if (values.json) console.log(JSON.stringify({ node: process.version, results }, null, 2));
else
  console.log("Times are medians and hold for this machine and this moment; compare the ratios.");
