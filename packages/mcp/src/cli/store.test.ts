import { startRedis, WHY_NO_REDIS } from "@toolcontract/redis-server";
import { afterEach, describe, expect, test } from "vitest";
import { addServer, toolCall } from "../testing/messages.ts";
import { endProxies, script, startProxy } from "../testing/proxy-process.ts";
import { UsageError } from "./failure.ts";
import { openStore, type RedisModule } from "./store.ts";

afterEach(endProxies);

const silent = { info: () => undefined, warn: () => undefined };
const settings = {
  store: "redis://127.0.0.1:6379",
  "attempt-window": 600_000,
  "store-timeout": 50,
};

describe("openStore", () => {
  test("without --store it opens nothing and loads nothing", async () => {
    const load = async (): Promise<RedisModule> => Promise.reject(new Error("loaded"));
    expect(await openStore({ ...settings, store: undefined }, silent, load)).toBeUndefined();
  });

  test("without the package redis it says what to install", async () => {
    const missing = Object.assign(new Error("Cannot find package 'redis'"), {
      code: "ERR_MODULE_NOT_FOUND",
    });
    await expect(openStore(settings, silent, async () => Promise.reject(missing))).rejects.toThrow(
      new UsageError(
        "--store needs the package redis beside this one: npm install redis, or npx -y -p redis -p @toolcontract/mcp toolcontract-mcp …",
      ),
    );
  });

  test.each([
    ["attempt-window", "--store needs an --attempt-window above 0"],
    ["store-timeout", "--store needs a --store-timeout above 0"],
  ])("a time of 0 for %s makes no sense with a store", async (name, message) => {
    await expect(openStore({ ...settings, [name]: 0 }, silent)).rejects.toThrow(
      new UsageError(message),
    );
  });
});

test.each(["localhost:6379", "http://127.0.0.1:6379", "redis://user:hunter2@127.0.0.1:port"])(
  "--store %s ends the proxy with exit code 4, and is not repeated",
  async (url) => {
    const proxy = startProxy(["--store", url, ...script(addServer())]);
    expect(await proxy.exited).toBe(4);
    expect(proxy.errors()).toContain("--store must be a URL such as redis://127.0.0.1:6379");
    expect(proxy.errors()).not.toContain(url);
  },
);

test("a store that cannot be reached ends nothing: attempts are counted in the process, with one warning", async () => {
  const proxy = startProxy(["--store", "redis://127.0.0.1:1", ...script(addServer())]);
  for (const id of [1, 2]) {
    proxy.send(toolCall(id, "add", {}));
    const text = (await proxy.answer(id)).result?.content?.[0]?.text;
    expect(text).toContain(`(attempt ${id}/3)`);
  }
  proxy.child.stdin?.end();
  expect(await proxy.exited).toBe(0);
  const lines = proxy.errors().trim().split("\n");
  const about = (words: string): number => lines.filter((line) => line.includes(words)).length;
  expect(about("The store cannot be reached: attempts are counted in this process")).toBe(1);
  expect(about("contract-degraded") + about('"stage":"store"')).toBeGreaterThan(0);
});

// The gate of the tests says once that there is no server.
describe.skipIf(WHY_NO_REDIS)("on a real Redis", () => {
  test("the proxy keeps attempts there, and its process ends with its server", async () => {
    const redis = await startRedis();
    try {
      const proxy = startProxy([
        "--log-level",
        "info",
        "--store",
        redis.url,
        "--store-timeout",
        "60s",
        ...script(addServer()),
      ]);
      proxy.send(toolCall(1, "add", {}));
      expect((await proxy.answer(1)).result?.isError).toBe(true);
      expect(proxy.errors()).toContain("The store is connected");
      expect(proxy.errors()).not.toContain("degraded");
      proxy.child.stdin?.end();
      expect(await proxy.exited).toBe(0);
      const { createClient } = await import("redis");
      const client = createClient({ url: redis.url });
      await client.connect();
      const [key] = await client.keys("*");
      expect(key).toMatch(/^toolcontract:1:[0-9a-f]{32}$/);
      expect(await client.pTTL(key ?? "")).toBeLessThanOrEqual(600_000);
      client.destroy();
    } finally {
      await redis.stop();
    }
  });
});
