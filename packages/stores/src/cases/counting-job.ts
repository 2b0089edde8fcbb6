import { type AttemptStore } from "@toolcontract/core";
import { createRetryTracker } from "@toolcontract/core/adapter";
import { type StoreCase, type StoreHarness, openAll } from "./harness.ts";
import { same } from "./same.ts";
import type { CountingJob, CountingResult } from "./job.ts";

const PROCESSES = 4;
const KEYS = 20;
const TURNS_PER_KEY = 100;
const TOOLS = 200;
const LIMIT = 3;
const NO_LIMIT = 1_000_000;

/**
 * Counts as one of several processes: its part of 100 failed turns for each of 20 keys, all at once, and 3 failed turns for
 * each of 200 tools with 3 attempts.
 *
 * @remarks The `fork` of a harness calls it in a process of its own.
 * @example
 * ```ts
 * process.send?.(await runCountingJob(shared, { process: 0, processes: 4 }));
 * ```
 * @see docs/stores.md
 */
export async function runCountingJob(
  store: AttemptStore,
  { process, processes }: CountingJob,
): Promise<CountingResult> {
  const counted = await countTurns(store, process, processes);
  return { counted, escalated: await spendAttempts(store, process) };
}

async function countTurns(
  store: AttemptStore,
  process: number,
  processes: number,
): Promise<readonly number[]> {
  const tracker = createRetryTracker({ scope: "thread", maxAttempts: NO_LIMIT, store });
  const turns = Array.from({ length: TURNS_PER_KEY / processes }, (_, turn) => turn);
  return Promise.all(
    Array.from({ length: KEYS }, async (_, key) => {
      const attempts = await Promise.all(
        turns.map(async (turn) => {
          const attemptKey = { conversationId: "counted", toolName: `${key}` };
          const failure = { turnId: `${process}-${turn}`, argumentsHash: "", errors: [] };
          return (await tracker.recordFailure(attemptKey, failure)).attempt;
        }),
      );
      return Math.max(...attempts);
    }),
  );
}

async function spendAttempts(store: AttemptStore, process: number): Promise<readonly string[]> {
  const tracker = createRetryTracker({ scope: "thread", maxAttempts: LIMIT, store });
  const tools = Array.from({ length: TOOLS }, (_, tool) => `tool-${tool}`);
  const escalated = tools.map(async (toolName) => {
    let own = 0;
    for (let turn = 0; turn < LIMIT; turn += 1) {
      const failure = { turnId: `${process}-${turn}`, argumentsHash: "", errors: [] };
      const key = { conversationId: "escalated", toolName };
      const { status, announced } = await tracker.recordFailure(key, failure);
      if (status === "blocked" && announced === false) own += 1;
    }
    return Array.from({ length: own }, () => toolName);
  });
  return (await Promise.all(escalated)).flat();
}

/** Four processes on one engine; in one process, if the harness cannot fork. */
export const PROCESS_CASES: readonly StoreCase[] = [
  {
    name: "four processes at once: each of 100 failed turns of 20 keys counts, and 200 tools escalate exactly once",
    async run(harness) {
      const results = await runAll(harness);
      const counted = Array.from({ length: KEYS }, (_, key) =>
        Math.max(...results.map((result) => result.counted[key] ?? 0)),
      );
      same(
        counted,
        counted.map(() => TURNS_PER_KEY),
        "the last attempt of each key",
      );
      const escalated = results.flatMap((result) => result.escalated);
      same(
        [escalated.length, new Set(escalated).size],
        [TOOLS, TOOLS],
        "escalations, and of how many tools",
      );
    },
  },
];

async function runAll<Place>(harness: StoreHarness<Place>): Promise<readonly CountingResult[]> {
  const { place, stores } = await openAll(harness, PROCESSES);
  return Promise.all(
    stores.map(async (store, process) => {
      const job = { process, processes: PROCESSES };
      return harness.fork?.(place, job) ?? runCountingJob(store, job);
    }),
  );
}
