import { createContract } from "@toolcontract/core";
import { compileBare } from "../bare-ajv.ts";
import type { Benchmark } from "../benchmark.ts";
import type { Row } from "../row.ts";
import { callOfSize, importRecords } from "../import-records.ts";
import { type Contestant, pointsOf, race, shortened } from "../race.ts";
import { zodOfTool } from "../zod-of-tool.ts";

const SIZES = {
  full: [100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000],
  quick: [100, 10_000],
} as const;

/** Measures how the cost of a valid call grows with its arguments. */
export const argumentGrowth: Benchmark = {
  name: "argument-growth",
  about: "a valid call, by the bytes of its arguments",
  async run({ length, isQuick }) {
    const rows: Row[] = [];
    for (const size of SIZES[isQuick ? "quick" : "full"]) {
      const { text } = callOfSize(size);
      rows.push(...pointsOf(await race(sidesFor(text), shortened(length)), text.length));
    }
    return [{ title: "valid calls", axis: "bytes of arguments", rows }];
  },
};

function sidesFor(text: string): readonly Contestant[] {
  const validate = compileBare(importRecords);
  const zod = zodOfTool(importRecords);
  const contract = createContract({ logger: () => undefined });
  const interpreting = createContract({ interpreter: true, logger: () => undefined });
  const sides = [
    { name: "JSON.parse + ajv", run: () => validate(JSON.parse(text)) },
    { name: "JSON.parse + zod", run: () => zod?.safeParse(JSON.parse(text)).success },
    { name: "contract", run: () => contract.check(importRecords, text).status === "valid" },
    {
      name: "contract, interpreting",
      run: () => interpreting.check(importRecords, text).status === "valid",
    },
  ];
  for (const { name, run } of sides) {
    if (run() !== true) throw new Error(`${name} refuses a valid call of ${text.length} bytes.`);
  }
  return sides;
}
