import { startRedis, WHY_NO_REDIS } from "@toolcontract/redis-server";
import { isWhole } from "@toolcontract/case-table/whole";
import { describe, expect, test } from "vitest";
import { measureCost } from "./cost.ts";
import { CALLS_PER_PAIR, isExact, soak } from "./soak.ts";

const PAIRS = isWhole ? 24 : 8;

// The gate of the tests says once that there is no server.
describe.skipIf(WHY_NO_REDIS)("three proxies on one Redis", () => {
  test("count exactly and escalate once, although one is killed and started again", async () => {
    const server = await startRedis();
    try {
      const result = await soak(server.url, PAIRS);
      expect(result.wrong).toEqual([]);
      expect(result.calls).toBe(PAIRS * CALLS_PER_PAIR);
      expect(isExact(result)).toBe(true);
    } finally {
      await server.stop();
    }
  });

  test("a valid call of a tool that never failed is one command", async () => {
    const server = await startRedis();
    try {
      expect((await measureCost(server, 100)).commands).toBe(1);
    } finally {
      await server.stop();
    }
  });
});
