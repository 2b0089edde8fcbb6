import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createMemoryStore } from "@toolcontract/core";
import { createRetryTracker } from "@toolcontract/core/adapter";
import type { CountingResult } from "@toolcontract/stores/testing";
import type { Benchmark, Table } from "../benchmark.ts";
import type { Row } from "../row.ts";
import { runNode } from "../cold/run-node.ts";
import { STORES } from "../cold/counting-stores.ts";

const ROOT = resolve(import.meta.dirname, "..");
const PROCESSES = { full: 4, quick: 2 } as const;
const TURNS = 100;
const TOOLS = 200;
const CALLS = 8;

/** Counts what several processes on one engine count: the numbers, not the time. */
export const replicas: Benchmark = {
  name: "replicas",
  about:
    "attempts that four processes count in one file: 100 failed turns for each of 20 keys, all at once, and 200 tools that spend 3 attempts",
  async run({ isQuick }) {
    const processes = PROCESSES[isQuick ? "quick" : "full"];
    const names = Object.keys(STORES);
    const tables = await Promise.all(names.map(async (name) => count(name, processes)));
    return [...tables, await callInTurn()];
  },
};

async function count(name: string, processes: number): Promise<Table> {
  const folder = mkdtempSync(join(tmpdir(), "toolcontract-replicas-"));
  try {
    const script = join(ROOT, "cold/counting-process.ts");
    const printed = await Promise.all(
      Array.from({ length: processes }, async (_, process) =>
        runNode([script, join(folder, "attempts.db"), name, `${process}`, `${processes}`], ROOT),
      ),
    );
    return tableOf(
      name,
      printed.map((one) => JSON.parse(one) as CountingResult),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function tableOf(name: string, results: readonly CountingResult[]): Table {
  const keys = results[0]?.counted.length ?? 0;
  const counted = Array.from({ length: keys }, (_, key) =>
    Math.max(...results.map((result) => result.counted[key] ?? 0)),
  );
  const times = new Map<string, number>();
  for (const tool of results.flatMap(({ escalated }) => escalated)) {
    times.set(tool, (times.get(tool) ?? 0) + 1);
  }
  const once = [...times.values()].filter((one) => one === 1).length;
  const rows: Row[] = [
    { name: "the key with the fewest", value: Math.min(...counted), unit: `of ${TURNS} turns` },
    { name: "the key with the most", value: Math.max(...counted), unit: `of ${TURNS} turns` },
    { name: "escalated exactly once", value: once, unit: `of ${TOOLS} tools` },
  ];
  const met = rows.every(({ value }, index) => value === (index === 2 ? TOOLS : TURNS));
  return { title: name, rows, ...(name === "update" && { target: { words: "all of them", met } }) };
}

/** Two trackers on one store that are called in turn, as a load balancer does. */
async function callInTurn(): Promise<Table> {
  const lastAttempt = async (runOf: (replica: number) => string): Promise<number> => {
    const store = createMemoryStore();
    const trackers = [0, 1].map(() =>
      createRetryTracker({ scope: "run", maxAttempts: 100, store }),
    );
    let attempt = 0;
    for (let call = 0; call < CALLS; call += 1) {
      const failure = { turnId: `${call}`, runId: runOf(call % 2), argumentsHash: "", errors: [] };
      const key = { conversationId: "a", toolName: "b" };
      attempt = (await trackers[call % 2]?.recordFailure(key, failure))?.attempt ?? 0;
    }
    return attempt;
  };
  const unit = `of ${CALLS} calls`;
  return {
    title: "two replicas called in turn on one store",
    rows: [
      {
        name: "each names the run itself",
        value: await lastAttempt((replica) => `run of ${replica}`),
        unit,
      },
      { name: "both name the same run", value: await lastAttempt(() => "run"), unit },
    ],
  };
}
