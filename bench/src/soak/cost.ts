import { createRetryTracker, withFallback } from "@toolcontract/core";
import { redisStore } from "@toolcontract/redis";
import type { RedisServer } from "@toolcontract/redis-server";
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
export async function measureCost(server: RedisServer): Promise<StoreCost> {
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
  const tracker = createRetryTracker({
    scope: "thread",
    maxAttempts: ROUNDS,
    store: withFallback(store),
  });
  const key = (toolName: string) => ({ conversationId: "cost", toolName });
  const valid = async (turn: number): Promise<unknown> =>
    tracker.recordValid(key("valid"), { turnId: `${turn}` });
  const failed = async (turn: number): Promise<unknown> =>
    tracker.recordFailure(key(`failed-${turn}`), { turnId: `${turn}`, ...FAILURE });
  try {
    await valid(-1);
    await failed(-1);
    commands = 0;
    const validTimes = await times(valid);
    const perCall = commands / ROUNDS;
    const failedTimes = await times(failed);
    server.signal("SIGSTOP");
    const hanging = [await time(failed, ROUNDS), await time(failed, ROUNDS + 1)] as const;
    return { valid: spread(validTimes), failed: spread(failedTimes), commands: perCall, hanging };
  } finally {
    server.signal("SIGCONT");
    client.destroy();
  }
}

async function times(run: (round: number) => Promise<unknown>): Promise<readonly number[]> {
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) taken.push(await time(run, round));
  return taken;
}

async function time(run: (round: number) => Promise<unknown>, round: number): Promise<number> {
  const start = performance.now();
  await run(round);
  return performance.now() - start;
}

function spread(taken: readonly number[]): Spread {
  const sorted = taken.toSorted((one, other) => one - other);
  const at = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? 0;
  return { median: at(0.5), p99: at(0.99) };
}
