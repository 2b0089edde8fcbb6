// `pnpm bench:mistakes [folder or file] [--least N]`: what models get wrong, by kind and family.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { countMistakes, mistakeTable } from "./mistakes.ts";
import { readRealCalls } from "./real-calls.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { least: { type: "string", default: "20" } },
});
const [data = resolve(import.meta.dirname, "../../../../shared/data/real-calls")] = positionals;
const calls = readRealCalls(data);
const broken = calls.filter(({ known, json, valid }) => known && json && valid === false);
const several = broken.filter(({ faults = [] }) => faults.length > 1);
console.log(mistakeTable(countMistakes(calls), Number(values.least)));
console.log(
  `\n${calls.length} calls; ${broken.length} break their schema, ${several.length} of them in more than one place.`,
);
