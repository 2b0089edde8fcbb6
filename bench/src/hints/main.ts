// `pnpm bench:hints [--corpus <folder>] [--misses]`: how many near misses get a hint that is right.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { readBfclCorpus } from "../corpus.ts";
import { readMcpCorpus } from "../mcp-corpus.ts";
import { countHints, refusedCall } from "./measure.ts";
import { readGradedCalls } from "./graded-calls.ts";
import { type RefusedCall, harmsOf } from "./meaning.ts";
import { MODEL_FAULTS } from "./model-faults.ts";
import { harmTable, hintOutcomes, hintSets, hintTable } from "./report.ts";

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

const refused: readonly (readonly [string, readonly RefusedCall[]])[] = [
  ...sets.map(
    ([set, outcomes]) =>
      [
        set,
        outcomes.map(({ slip: { sent, meant }, errors }) => ({ sent, meant, errors })),
      ] as const,
  ),
  ["faults as models make them", MODEL_FAULTS.flatMap(refusedCall)],
  ["graded calls of published tools", readGradedCalls().flatMap(refusedCall)],
];
console.log(`\nHints that are wrong in meaning:\n\n${harmTable(refused)}`);

if (values.misses) {
  for (const [set, calls] of refused)
    for (const call of calls)
      for (const harm of harmsOf(call)) console.log(harm, set, JSON.stringify(call));
  for (const { slip, errors, verdict } of all) {
    if (verdict === "right" || (verdict === "none" && slip.meant === undefined)) continue;
    const hints = errors.map(({ fieldPath, hint }) => [fieldPath, hint]);
    console.log(verdict, slip.kind, slip.tool.name, JSON.stringify([slip.sent, hints]));
  }
}
