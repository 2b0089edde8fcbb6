// `pnpm bench:hints [--corpus <folder>] [--misses]`: how many near misses get a hint that is right.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { readBfclCorpus, thinOut } from "../corpus.ts";
import { readMcpCorpus } from "../mcp-corpus.ts";
import { type Outcome, countHints, measureHints } from "./measure.ts";
import { readToolCalls } from "./tool-calls.ts";

const REAL_CALLS = 300;
const root = resolve(import.meta.dirname, "../../..");
const { values } = parseArgs({
  options: {
    corpus: { type: "string", default: resolve(root, "../shared/data/bfcl") },
    misses: { type: "boolean", default: false },
  },
});

const toolCalls = readToolCalls();
const real = readBfclCorpus(resolve(root, values.corpus));
const servers = await readMcpCorpus();
const sets: readonly (readonly [name: string, outcomes: readonly Outcome[]])[] = [
  ["made tools, seen", measureHints(toolCalls.filter((_, index) => index % 2 === 0))],
  ["made tools, held out", measureHints(toolCalls.filter((_, index) => index % 2 === 1))],
  ["installed MCP servers", measureHints(servers.calls)],
  ["real functions (BFCL)", measureHints(thinOut(real?.calls ?? [], REAL_CALLS))],
];

console.log("| set | near misses | right | wrong |\n| --- | --- | --- | --- |");
for (const [name, outcomes] of sets) console.log(row(name, outcomes));
const all = sets.flatMap(([, outcomes]) => outcomes);
console.log(row("all", all));
console.log("\n| kind | near misses | right | wrong |\n| --- | --- | --- | --- |");
for (const kind of new Set(all.map(({ slip }) => slip.kind)))
  console.log(
    row(
      kind,
      all.filter(({ slip }) => slip.kind === kind),
    ),
  );
if (values.misses)
  for (const { slip, errors, verdict } of all)
    if (verdict === "wrong" || (verdict === "none" && slip.meant !== undefined))
      console.log(
        verdict,
        slip.kind,
        JSON.stringify(slip.sent),
        JSON.stringify(errors.map(({ fieldPath, hint }) => [fieldPath, hint])),
        slip.tool.name,
      );

function row(name: string, outcomes: readonly Outcome[]): string {
  const { slips, right, wrong } = countHints(outcomes);
  const share = (part: number, whole: number): string =>
    whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} %`;
  return `| ${name} | ${slips} | ${share(right, slips)} | ${wrong} (${share(wrong, right + wrong)}) |`;
}
