import { type RedisServer, startRedis, WHY_NO_REDIS } from "@toolcontract/redis-server";
import { isWhole } from "@toolcontract/case-table/whole";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { measureCost } from "./cost.ts";
import { addsUp, soakRestarts } from "./restarts.ts";
import { CALLS_PER_PAIR, isExact, soak } from "./soak.ts";

const PAIRS = isWhole ? 24 : 8;

test("three proxies whose servers restart seven times lose nothing, and their numbers add up", async () => {
  for (const sums of await soakRestarts(isWhole ? 1_200 : 240)) {
    expect(sums).toMatchObject({ wrong: 0, operations: sums.sent });
    expect(addsUp(sums)).toBe(true);
  }
}, 60_000);

// The gate of the tests says once that there is no server.
describe.skipIf(WHY_NO_REDIS)("three proxies on one Redis", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(async () => server.stop());

  test("count exactly and escalate once, although one is killed and started again", async () => {
    const result = await soak(server.url, PAIRS);
    expect(result.wrong).toEqual([]);
    expect(result.calls).toBe(PAIRS * CALLS_PER_PAIR);
    expect(isExact(result)).toBe(true);
  });

  test("a valid call of a tool that never failed is one command", async () => {
    expect((await measureCost(server, 100)).commands).toBe(1);
  });
});
