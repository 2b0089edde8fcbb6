import type { Ledger } from "@toolcontract/core";
import { memoryLedger } from "@toolcontract/guardrails";
import { sqliteLedger } from "@toolcontract/stores/sqlite";
import { isWhole } from "@toolcontract/case-table/whole";
import { WHY_NO_POSTGRES, newSchema } from "@toolcontract/postgres-server";
import { WHY_NO_REDIS, startRedis } from "@toolcontract/redis-server";
import { describe, expect, test } from "vitest";
import { runProcesses } from "./processes.ts";
import { randomOf } from "./random.ts";
import { runSchedule } from "./schedule.ts";
import { openWorld } from "./world.ts";

const sqlite = process.getBuiltinModule("node:sqlite") as typeof import("node:sqlite") | undefined;

/** Runs schedules, and returns how many calls have paid and how many have not. */
async function runAll(count: number, open: () => Ledger): Promise<readonly [number, number]> {
  let [paid, unpaid] = [0, 0];
  for (let seed = 1; seed <= count; seed += 1) {
    const result = await runSchedule(seed, open());
    const { overrun, doubled, lost, overcounted } = result;
    expect({ seed, overrun, doubled, lost, overcounted }).toEqual({
      seed,
      overrun: 0,
      doubled: 0,
      lost: 0,
      overcounted: 0,
    });
    paid += result.paid;
    unpaid += result.unpaid;
  }
  return [paid, unpaid];
}

describe("in random schedules of one to four processes, no limit is exceeded and nothing is lost", () => {
  test("in memory", async () => {
    const [paid, unpaid] = await runAll(isWhole ? 200 : 100, memoryLedger);
    // Otherwise nothing would have been proved.
    expect(Math.min(paid, unpaid)).toBeGreaterThan(100);
  });

  // Node 20 has no node:sqlite.
  test.skipIf(sqlite === undefined)("in SQLite", async () => {
    const { DatabaseSync } = sqlite as NonNullable<typeof sqlite>;
    const [paid, unpaid] = await runAll(isWhole ? 40 : 20, () =>
      sqliteLedger(new DatabaseSync(":memory:")),
    );
    expect(Math.min(paid, unpaid)).toBeGreaterThan(20);
  });

  test.skipIf(sqlite === undefined)("in processes that are killed while they pay", async () => {
    const { overrun, lost, wrong, paid, killed } = await runProcesses({
      seed: 1,
      rounds: isWhole ? 2 : 1,
      maxStarts: isWhole ? 4 : 2,
    });
    expect({ overrun, lost, wrong }).toEqual({ overrun: 0, lost: 0, wrong: 0 });
    expect([paid > 10, killed > 2]).toEqual([true, true]);
  });

  // The starts of its processes cost more than a second.
  test.skipIf(!isWhole || WHY_NO_REDIS !== undefined)("in those that share a Redis", async () => {
    const redis = await startRedis();
    const result = await runProcesses({ seed: 1, rounds: 1, maxStarts: 2, url: redis.url });
    await redis.stop();
    const { paid, killed, ...wrong } = result;
    expect(wrong).toEqual({ overrun: 0, lost: 0, wrong: 0 });
    expect([paid > 10, killed > 2]).toEqual([true, true]);
  });

  test.skipIf(!isWhole || WHY_NO_POSTGRES !== undefined)(
    "in those that share a Postgres",
    async () => {
      const { url, drop } = await newSchema();
      const result = await runProcesses({ seed: 1, rounds: 1, maxStarts: 2, url });
      await drop();
      const { paid, killed, ...wrong } = result;
      expect(wrong).toEqual({ overrun: 0, lost: 0, wrong: 0 });
      expect([paid > 10, killed > 2]).toEqual([true, true]);
    },
  );
});

test("a ledger that charges all that was reserved is found out", async () => {
  let most = 0;
  for (let seed = 1; seed <= 60 && most === 0; seed += 1) {
    const ledger = memoryLedger();
    const greedy: Ledger = {
      ...ledger,
      end: (entry, end) =>
        ledger.end(entry, end.state === "spent" ? { state: "spent", at: end.at } : end),
    };
    most = Math.max(most, (await runSchedule(seed, greedy)).overcounted);
  }
  expect(most).toBeGreaterThan(0);
});

test("a ledger that forgets is found out", async () => {
  let [overrun, lost] = [0, 0];
  for (let seed = 1; seed <= 60 && (overrun === 0 || lost === 0); seed += 1) {
    const ledger = memoryLedger();
    const forgetful = {
      ...ledger,
      end: (...[entry, end]: Parameters<typeof ledger.end>) =>
        ledger.end(entry, end.state === "in-doubt" ? { state: "not-done" } : end),
    };
    const result = await runSchedule(seed, forgetful);
    overrun = Math.max(overrun, result.overrun);
    lost = Math.max(lost, result.lost);
  }
  expect([overrun > 0, lost > 0]).toEqual([true, true]);
});

test("the books of the world know windows", () => {
  const minute = openWorld(100, "minute", 0);
  minute.pay("a", 80);
  minute.now = 60_000;
  minute.pay("b", 80);
  expect(minute.overrun()).toBe(0);
  minute.now = 119_999;
  minute.pay("c", 30);
  expect(minute.overrun()).toBe(10);
});

test("random choices are repeated by their seed", () => {
  const choices = (seed: number): readonly number[] => {
    const random = randomOf(seed);
    return Array.from({ length: 20 }, () => random.below(1_000));
  };
  expect(choices(7)).toEqual(choices(7));
  expect(choices(7)).not.toEqual(choices(8));
});
