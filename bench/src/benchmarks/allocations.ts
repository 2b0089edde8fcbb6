import { resolve } from "node:path";
import type { Benchmark } from "../benchmark.ts";
import type { Row } from "../row.ts";
import { runNode } from "../cold/run-node.ts";

const ROOT = resolve(import.meta.dirname, "..");
const MEGABYTES = 64;
const RUNS = { full: ["10000", "9"], quick: ["20", "1"] } as const;

type Measured = Readonly<Record<"valid" | "invalid", readonly (readonly [string, number])[]>>;

/** Measures how many bytes a call leaves for the garbage collector. */
export const allocations: Benchmark = {
  name: "allocations",
  about:
    "bytes that a call of a typical tool allocates, in a new process without a collection in between",
  async run({ isQuick }) {
    const space = [`--min-semi-space-size=${MEGABYTES}`, `--max-semi-space-size=${MEGABYTES}`];
    const runs = RUNS[isQuick ? "quick" : "full"];
    const script = resolve(ROOT, "cold/allocated-bytes.ts");
    const printed = await runNode(["--expose-gc", ...space, script, ...runs], ROOT);
    const { valid, invalid } = JSON.parse(printed) as Measured;
    return [
      { title: "a valid call", rows: rowsOf(valid) },
      { title: "an invalid call with four faults", rows: rowsOf(invalid) },
    ];
  },
};

function rowsOf(measured: Measured["valid"]): readonly Row[] {
  const first = measured[0]?.[1] ?? Number.NaN;
  return measured.map(([name, value]) => ({
    name,
    value,
    unit: "bytes a call",
    ratio: value / first,
  }));
}
