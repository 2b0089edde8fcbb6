import { createHash } from "node:crypto";
import { type AttemptState, ToolContractError } from "@toolcontract/core";
import { createRetryTracker } from "@toolcontract/core/adapter";
import { startRedis, WHY_NO_REDIS } from "@toolcontract/redis-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLIENTS, type Connection } from "../testing/clients.ts";
import { createReplies } from "../testing/replies.ts";
import { redisStore } from "./index.ts";
import { READ, SWAP } from "./lua.ts";

const key = JSON.stringify(["chat", "write_file"]);
const one: AttemptState = { failed: 1, history: [], turnId: "t", turnOutcome: "counted" };
const two: AttemptState = { ...one, failed: 2 };

describe("the scripts", () => {
  test.each([READ, SWAP])("have the SHA-1 of their text: $sha1", ({ text, sha1 }) => {
    expect(createHash("sha1").update(text).digest("hex")).toBe(sha1);
  });
});

describe("redisStore, by the replies", () => {
  test("a valid call of a tool that never failed is one command, a failure is two", async () => {
    const { sendCommand, sent } = createReplies();
    const store = redisStore({ sendCommand, idleTime: 5_000 });
    const tracker = createRetryTracker({ scope: "thread", maxAttempts: 3, store });
    const attempts = { conversationId: "chat", toolName: "write_file" };
    const failure = { argumentsHash: "", errors: [] };
    // From here on the server knows both scripts.
    await tracker.recordFailure({ ...attempts, toolName: "other" }, { turnId: "1", ...failure });
    sent.splice(0);
    await tracker.recordValid(attempts, { turnId: "3" });
    expect(sent.splice(0)).toEqual([["EVALSHA", READ.sha1, "1", expect.any(String), "5000"]]);
    await tracker.recordFailure(attempts, { turnId: "4", ...failure });
    const [read, swap] = sent;
    expect(read?.slice(0, 2)).toEqual(["EVALSHA", READ.sha1]);
    expect(swap?.slice(0, 2)).toEqual(["EVALSHA", SWAP.sha1]);
    expect(sent).toHaveLength(2);
    expect(swap?.[3]).toBe(read?.[3]);
  });

  test("a server that does not know a script is sent the text, once", async () => {
    const { sendCommand, sent, forget } = createReplies();
    const store = redisStore({ sendCommand });
    for (const state of [one, two]) await store.update(key, () => state);
    const names = (): readonly unknown[] => sent.splice(0).map(([name]) => name);
    expect(names()).toEqual(["EVALSHA", "EVAL", "EVALSHA", "EVAL", "EVALSHA", "EVALSHA"]);
    forget();
    expect(await store.get(key)).toEqual(two);
    expect(names()).toEqual(["EVALSHA", "EVAL"]);
  });

  test.each<[string, (reply: unknown) => unknown]>([
    ["strings", (reply) => reply],
    [
      "Buffers",
      (reply) => deep(reply, (value) => value && Buffer.from(`${value as string | number}`)),
    ],
    ["false for a missing value", (reply) => deep(reply, (value) => value ?? false)],
    [
      "numbers as bigint",
      (reply) => deep(reply, (value) => (typeof value === "number" ? BigInt(value) : value)),
    ],
  ])("replies may hold %s", async (_, as) => {
    const { sendCommand } = createReplies();
    const store = redisStore({
      sendCommand: async (...args) => as(await sendCommand(...args)),
    });
    const times: unknown[] = [];
    const update = async (state: AttemptState | undefined): Promise<unknown> =>
      store.update(key, (_before, now) => {
        times.push(now);
        return state;
      });
    expect(await update(one)).toEqual({ before: undefined, after: one });
    expect(await update(two)).toEqual({ before: one, after: two });
    expect(await update(undefined)).toEqual({ before: two, after: undefined });
    expect(await store.get(key)).toBeUndefined();
    expect(times).toEqual([1_001, 1_003, 1_005]);
  });

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["no list", "OK"],
    ["no time", ["value"]],
    ["an object for the value", [{}, 1]],
  ])("a reply that is %s is the store's failure, and is not quoted", async (_, reply) => {
    const store = redisStore({ sendCommand: async () => reply });
    const failure: unknown = await Promise.resolve(store.get(key)).catch(
      (thrown: unknown) => thrown,
    );
    expect(failure).toBeInstanceOf(Error);
    expect(String(failure)).toMatch(/^Error: A reply must /);
  });

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["an error that the client resolves to", new Error("READONLY You can't write")],
    ["that of a transaction", "QUEUED"],
    ["0", 0],
  ])("a write that is answered with %s is not taken for done", async (_, reply) => {
    const { sendCommand } = createReplies();
    const store = redisStore({
      sendCommand: async (...args) => {
        const answer = await sendCommand(...args);
        return Array.isArray(answer) ? answer : reply;
      },
    });
    await expect(store.update(key, () => one)).rejects.toThrow(/^A (reply|swap) must /);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["rejects", async () => Promise.reject(new Error("Socket closed"))],
    [
      "throws",
      () => {
        throw new Error("Socket closed");
      },
    ],
  ])("a client that %s is the store's failure", async (_, sendCommand) => {
    const store = redisStore({ sendCommand });
    await expect(store.get(key)).rejects.toThrow("Socket closed");
    await expect(store.update(key, () => one)).rejects.toThrow("Socket closed");
  });

  test.each<[unknown]>([[{}], [{ sendCommand: "redis://127.0.0.1" }]])(
    "options %j are an error at once",
    (options) => {
      expect(() => redisStore(options as never)).toThrow(
        new ToolContractError(
          "redisStore: `sendCommand` must be a function, such as (...args) => client.sendCommand(args).",
        ),
      );
    },
  );
});

// The gate of the tests says once that there is no server.
describe.skipIf(WHY_NO_REDIS)("redisStore on a real server", () => {
  let server: Awaited<ReturnType<typeof startRedis>>;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(async () => server.stop());

  describe.each(CLIENTS)("with %s", (_, connect) => {
    let client: Connection;
    beforeAll(async () => {
      client = await connect(server.url);
      await client.sendCommand("FLUSHALL");
    });
    afterAll(async () => client.close());

    /** Sends a command about the only key of a prefix, and returns its reply. */
    async function ask(prefix: string, command: string, ...args: string[]): Promise<unknown> {
      const names = (await client.sendCommand("KEYS", `${prefix}*`)) as readonly string[];
      expect(names).toHaveLength(1);
      return client.sendCommand(command, `${names[0]}`, ...args);
    }

    test("writes, reads and deletes; the engine's clock is in the change", async () => {
      const store = redisStore({ ...client, prefix: "crud:" });
      const times: number[] = [];
      const update = async (state: AttemptState | undefined): Promise<unknown> =>
        store.update(key, (_before, now) => {
          times.push(Number(now));
          return state;
        });
      expect(await update(one)).toEqual({ before: undefined, after: one });
      expect(await store.get(key)).toEqual(one);
      expect(await update(two)).toEqual({ before: one, after: two });
      await store.delete(key);
      expect(await store.get(key)).toBeUndefined();
      expect(times.toSorted((a, b) => a - b)).toEqual(times);
      const [seconds] = (await client.sendCommand("TIME")) as readonly string[];
      expect(Math.abs(Number(seconds) * 1_000 - (times[0] ?? 0))).toBeLessThan(3_600_000);
    });

    test("a read and a write renew the idle time", async () => {
      const day = 86_400_000;
      await redisStore({ ...client, prefix: "idle:", idleTime: 3_600_000 }).update(key, () => one);
      expect(Number(await ask("idle:", "PTTL"))).toBeLessThanOrEqual(3_600_000);
      const store = redisStore({ ...client, prefix: "idle:", idleTime: day });
      await store.get(key);
      expect(Number(await ask("idle:", "PTTL"))).toBeGreaterThan(3_600_000);
      await redisStore({ ...client, prefix: "idle:", idleTime: 3_600_000 }).update(key, () => two);
      expect(Number(await ask("idle:", "PTTL"))).toBeLessThanOrEqual(3_600_000);
    });

    test("of two stores that change one key at once, the later one asks again", async () => {
      const [first, second] = [
        redisStore({ ...client, prefix: "race:" }),
        redisStore({ ...client, prefix: "race:" }),
      ];
      const count = async (store: typeof first): Promise<unknown> =>
        store.update(key, (before) => ({ ...one, failed: (before?.failed ?? 0) + 1 }));
      await Promise.all(Array.from({ length: 40 }, (_each, at) => count(at % 2 ? first : second)));
      expect(await first.get(key)).toEqual({ ...one, failed: 40 });
    });

    test.each([
      ["empty", ""],
      ["short", "x"],
      ["not ASCII", "\u00e9\u0000\u2028".repeat(20)],
      ["one megabyte", "9".repeat(1_000_000)],
      ["of a later version", `0123456789abcdef${JSON.stringify({ v: 2, ...two })}`],
    ])("a value that is %s counts as none and is replaced", async (name, poison) => {
      const prefix = `${name}:`;
      const store = redisStore({ ...client, prefix });
      await store.update(key, () => two);
      await ask(prefix, "SET", poison);
      expect(await store.get(key)).toBeUndefined();
      expect(await store.update(key, () => one)).toEqual({ before: undefined, after: one });
      expect(await store.get(key)).toEqual(one);
    });

    test("a key of another type is the store's failure", async () => {
      const store = redisStore({ ...client, prefix: "list:" });
      await store.update(key, () => one);
      const [name] = (await client.sendCommand("KEYS", "list:*")) as readonly string[];
      await client.sendCommand("DEL", `${name}`);
      await client.sendCommand("RPUSH", `${name}`, "x");
      await expect(store.get(key)).rejects.toThrow("WRONGTYPE");
    });

    test("a server that has lost its scripts gets them again", async () => {
      const store = redisStore({ ...client, prefix: "flush:" });
      await store.update(key, () => one);
      await client.sendCommand("SCRIPT", "FLUSH");
      expect(await store.update(key, () => two)).toEqual({ before: one, after: two });
    });
  });
});

function deep(value: unknown, as: (leaf: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map((entry) => as(entry)) : as(value);
}
