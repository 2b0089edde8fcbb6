import { resolve } from "node:path";
import type { Benchmark } from "../benchmark.ts";
import { runNode } from "../cold/run-node.ts";

const ROOT = resolve(import.meta.dirname, "..");
const RUNS = { quick: 20, full: 1_000, long: 10_000 };
const MEGABYTE = 1_048_576;
const MOST_MORE = 1;

/** Measures whether a session keeps anything of the runs that it made. */
export const sessionMemory: Benchmark = {
  name: "session-memory",
  about:
    "the heap after runs of five turns through one session, each after a full collection, in a new process; --long makes 10,000",
  async run({ isQuick, isLong }) {
    const runs = RUNS[isQuick ? "quick" : isLong === true ? "long" : "full"];
    const script = resolve(ROOT, "cold/session-heap.ts");
    const printed = await runNode(["--expose-gc", script, String(runs)], ROOT);
    const measured = JSON.parse(printed) as readonly (readonly [number, number])[];
    const rows = measured.map(([made, bytes]) => ({
      name: `after ${made} runs`,
      value: bytes / MEGABYTE,
      unit: "MB of heap",
    }));
    const grown = (rows.at(-1)?.value ?? Number.NaN) - (rows[0]?.value ?? Number.NaN);
    const words = `at most ${MOST_MORE} MB more at the end than after a tenth`;
    return [
      { title: "one session of the AI SDK", rows, target: { words, met: grown <= MOST_MORE } },
    ];
  },
};
