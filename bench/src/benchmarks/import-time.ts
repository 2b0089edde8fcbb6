import { type Benchmark, rowNamed } from "../benchmark.ts";
import { type Row } from "../row.ts";
import { runNode } from "../cold/run-node.ts";
import { stagePackages } from "../cold/stage-packages.ts";
import { median } from "../race.ts";

const PEERS = ["zod", "ajv", "ai", "@langchain/core/tools", "@modelcontextprotocol/server"];
const ROUNDS = { full: 11, quick: 1 } as const;
const MOST = 15;
const CORE = "@toolcontract/core";

/** Measures how long the first import of a package takes. */
export const importTime: Benchmark = {
  name: "import-time",
  about: "the first import of a built package in a new process, with everything it imports",
  async run({ isQuick }) {
    const staged = await stagePackages();
    const names = ["zod", ...staged.names, ...PEERS.slice(1)];
    const times = new Map<string, number[]>(names.map((name) => [name, []]));
    try {
      for (let round = 0; round < ROUNDS[isQuick ? "quick" : "full"]; round += 1) {
        for (const [name, own] of times) own.push(await importTimeOf(name, staged.folder));
      }
    } finally {
      staged.remove();
    }
    const zod = median(times.get("zod") ?? []);
    const rows = names.map((name): Row => {
      const value = median(times.get(name) ?? []);
      return { name, value, unit: "ms", ratio: value / zod };
    });
    const core = rowNamed(rows, CORE);
    const met = core.value <= MOST || (core.ratio ?? Number.NaN) <= 0.5;
    const words = `core takes at most ${MOST} ms, or half of what zod takes`;
    return [{ title: "processor time, medians", rows, target: { words, met } }];
  },
};

/** Warms the loader up first: starting it is not the package's cost. */
async function importTimeOf(name: string, folder: string): Promise<number> {
  const program = `
    await import("node:path");
    await import("data:text/javascript,");
    const before = process.cpuUsage();
    await import(${JSON.stringify(name)});
    const { user, system } = process.cpuUsage(before);
    process.stdout.write(String((user + system) / 1_000));
    process.exit();`;
  const args = ["--input-type=module", "--eval", program];
  return Number(await runNode(args, folder, { NODE_DISABLE_COMPILE_CACHE: "1" }));
}
