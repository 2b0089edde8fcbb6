import { type AttemptStore } from "@toolcontract/core";
import { createRetryTracker } from "@toolcontract/core/adapter";
import type { RedisServer } from "@toolcontract/redis-server";
import { withFallback } from "@toolcontract/stores";
import { redisStore } from "@toolcontract/stores/redis";
import { createClient } from "redis";

const ROUNDS = 2_000;
const FAILURE = { argumentsHash: "", errors: [] };

/** What a store on loopback adds to a call, in milliseconds. */
export interface StoreCost {
  readonly valid: Spread;
  readonly failed: Spread;
  /** Commands of a valid call of a tool that never failed. */
  readonly commands: number;
  /** The first call after the server hangs, and the one after it. */
  readonly hanging: readonly [first: number, next: number];
}

/** The median and the 99th of a hundred. */
export interface Spread {
  readonly median: number;
  readonly p99: number;
}

/** Measures the store with node-redis. */
export async function measureCost(server: RedisServer, rounds = ROUNDS): Promise<StoreCost> {
  const client = createClient({ url: server.url, disableOfflineQueue: true });
  client.on("error", () => undefined);
  await client.connect();
  let commands = 0;
  const store = redisStore({
    sendCommand: async (...args) => {
      commands += 1;
      return client.sendCommand(args);
    },
  });
  // A busy machine is not an outage: nothing may be counted without the server.
  const patient = counting(withFallback(store, { timeLimit: 60_000 }));
  const usual = counting(withFallback(store));
  try {
    await patient.valid(-1);
    await patient.failed(-1);
    commands = 0;
    const validTimes = await times(patient.valid, rounds);
    const perCall = commands / rounds;
    const failedTimes = await times(patient.failed, rounds);
    server.signal("SIGSTOP");
    const hanging = [
      await time(usual.failed, rounds),
      await time(usual.failed, rounds + 1),
    ] as const;
    return { valid: spread(validTimes), failed: spread(failedTimes), commands: perCall, hanging };
  } finally {
    server.signal("SIGCONT");
    client.destroy();
  }
}

/** How calls are counted in a store. */
function counting(store: AttemptStore): Record<"valid" | "failed", Run> {
  const tracker = createRetryTracker({ scope: "thread", maxAttempts: ROUNDS, store });
  const key = (toolName: string) => ({ conversationId: "cost", toolName });
  return {
    valid: async (turn) => tracker.recordValid(key("valid"), { turnId: `${turn}` }),
    failed: async (turn) =>
      tracker.recordFailure(key(`failed-${turn}`), { turnId: `${turn}`, ...FAILURE }),
  };
}

type Run = (round: number) => Promise<unknown>;

async function times(run: Run, rounds: number): Promise<readonly number[]> {
  const taken: number[] = [];
  for (let round = 0; round < rounds; round += 1) taken.push(await time(run, round));
  return taken;
}

async function time(run: Run, round: number): Promise<number> {
  const start = performance.now();
  await run(round);
  return performance.now() - start;
}

function spread(taken: readonly number[]): Spread {
  const sorted = taken.toSorted((one, other) => one - other);
  const at = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? 0;
  return { median: at(0.5), p99: at(0.99) };
}
