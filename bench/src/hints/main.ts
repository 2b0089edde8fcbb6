// `pnpm bench:hints [--corpus <folder>] [--misses]`: how many near misses get a hint that is right.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { readBfclCorpus } from "../corpus.ts";
import { readMcpCorpus } from "../mcp-corpus.ts";
import { countHints } from "./measure.ts";
import { hintOutcomes, hintSets, hintTable } from "./report.ts";

const root = resolve(import.meta.dirname, "../../..");
const { values } = parseArgs({
  options: {
    corpus: { type: "string", default: resolve(root, "../shared/data/bfcl") },
    misses: { type: "boolean", default: false },
  },
});

const sets = hintOutcomes(await readMcpCorpus(), readBfclCorpus(resolve(root, values.corpus)));
const all = sets.flatMap(([, outcomes]) => outcomes);
const kinds = [...new Set(all.map(({ slip }) => slip.kind))];
const byKind = kinds.map((kind) => ({
  set: kind,
  ...countHints(all.filter(({ slip }) => slip.kind === kind)),
}));
console.log(`${hintTable("tools", hintSets(sets))}\n\n${hintTable("slip", byKind)}`);

if (values.misses) {
  for (const { slip, errors, verdict } of all) {
    if (verdict === "right" || (verdict === "none" && slip.meant === undefined)) continue;
    const hints = errors.map(({ fieldPath, hint }) => [fieldPath, hint]);
    console.log(verdict, slip.kind, slip.tool.name, JSON.stringify([slip.sent, hints]));
  }
}
