import { EventEmitter } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startRedis, WHY_NO_REDIS } from "@toolcontract/redis-server";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { addServer, toolCall } from "../testing/messages.ts";
import { endProxies, script, startProxy } from "../testing/proxy-process.ts";
import { runMain } from "../testing/run-main.ts";
import { runProxy } from "../testing/run-proxy.ts";
import { UsageError } from "./failure.ts";
import { openStore } from "./store.ts";
import { openRedis, type RedisModule } from "./redis-attempts.ts";

afterEach(endProxies);

const silent = { info: () => undefined, warn: () => undefined };
const settings = {
  store: "redis://127.0.0.1:6379",
  "attempt-window": 600_000,
  "store-timeout": 50,
  "max-attempts": 3,
};

describe("openStore", () => {
  test("without --store it opens nothing and loads nothing", async () => {
    const load = async (): Promise<RedisModule> => Promise.reject(new Error("loaded"));
    expect(await openStore({ ...settings, store: undefined }, silent, load)).toBeUndefined();
  });

  test.each(["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"])(
    "without the package redis it says what to install: %s",
    async (code) => {
      const missing = Object.assign(new Error("Cannot find package 'redis'"), { code });
      const opening = openStore(settings, silent, async () => Promise.reject(missing));
      await expect(opening).rejects.toThrow(
        new UsageError(
          "--store needs the package redis beside this one: npm install redis, or npx -y -p redis -p @toolcontract/mcp toolcontract-mcp …",
        ),
      );
    },
  );

  test.each([
    new Error("no code"),
    Object.assign(new Error("another"), { code: "ERR_DLOPEN_FAILED" }),
  ])(
    "a package redis that is there but fails to load is not a mistake of the user: %o",
    async (thrown) => {
      const opening = openStore(settings, silent, async () => Promise.reject(thrown));
      await expect(opening).rejects.toBe(thrown);
    },
  );

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
    const { code, errors } = await runMain(["--store", url, ...script(addServer())]);
    expect(code).toBe(4);
    expect(errors).toContain("--store must be a URL such as redis://127.0.0.1:6379");
    expect(errors).not.toContain(url);
  },
);

test("a store that cannot be reached ends nothing: attempts are counted in the process, with one warning", async () => {
  const proxy = runProxy(["--store", "redis://127.0.0.1:1", ...script(addServer())]);
  for (const id of [1, 2]) {
    proxy.send(toolCall(id, "add", {}));
    const text = (await proxy.answer(id)).result?.content?.[0]?.text;
    expect(text).toContain(`(attempt ${id}/3)`);
  }
  proxy.endInput();
  expect(await proxy.exited).toBe(0);
  const lines = proxy.errors().trim().split("\n");
  const about = (words: string): number => lines.filter((line) => line.includes(words)).length;
  expect(about("The store cannot be reached: attempts are counted in this process")).toBe(1);
  expect(about("contract-degraded") + about('"stage":"store"')).toBeGreaterThan(0);
});

/** A client of Redis that does as it is told. */
function fakeRedis(isReady: boolean, reply: (args: readonly string[]) => unknown) {
  const events = new EventEmitter();
  const created: unknown[] = [];
  let isDestroyed = false;
  const client = {
    on: (event: string, listener: () => void) => events.on(event, listener),
    connect: async () => isReady && events.emit("ready"),
    sendCommand: async (args: readonly string[]) => reply(args),
    destroy: () => (isDestroyed = true),
  };
  const createClient = (options: unknown) => {
    created.push(options);
    return client;
  };
  return {
    created,
    isDestroyed: () => isDestroyed,
    emit: (error: Error): void => void events.emit("error", error),
    becomeReady: (): void => void events.emit("ready"),
    load: async () => ({ createClient }) as unknown as RedisModule,
  };
}

test("the store is open before it is connected, and a call waits no longer than its time", async () => {
  const { load, created, isDestroyed } = fakeRedis(false, () => undefined);
  const opened = await openStore(settings, silent, load);
  const update = await opened?.store.update("key", (before) => before);
  expect(update?.after).toBeUndefined();
  expect(created).toEqual([
    { url: settings.store, disableOfflineQueue: true, socket: { connectTimeout: 2_000 } },
  ]);
  expect(isDestroyed()).toBe(false);
  opened?.close();
  expect(isDestroyed()).toBe(true);
});

test("the log has each change of the store, and no other line", async () => {
  const lines: string[] = [];
  const log = {
    info: (message: string) => void lines.push(message),
    warn: (message: string, fields?: object) =>
      void lines.push(`${message} ${JSON.stringify(fields)}`),
  };
  let refusal: string | undefined;
  const { emit, becomeReady, load } = fakeRedis(true, async (command) => {
    if (refusal !== undefined) throw new Error(refusal);
    return command[0] === "GET" ? "3" : [null, 0];
  });
  const limits = { idleTime: 600_000, maxAttempts: 3 };
  const { store } = await openRedis(settings.store, limits, log, load);
  const about = async (change: () => unknown): Promise<readonly string[]> => {
    lines.splice(0);
    await change();
    return [...lines];
  };
  const lose = async (code: string) =>
    about(() => emit(Object.assign(new Error("closed"), { code })));
  const ask = async (refused?: string) => {
    refusal = refused;
    return about(async () => Promise.resolve(store.get("key")).catch(() => undefined));
  };
  const lost = "The store cannot be reached: attempts are counted in this process";
  const refuses = "The store refuses to count: attempts are counted in this process";
  expect(await lose("ECONNREFUSED")).toEqual([`${lost} {"code":"ECONNREFUSED"}`]);
  expect(await lose("ECONNREFUSED")).toEqual([]);
  expect(await lose("ETIMEDOUT")).toEqual([`${lost} {"code":"ETIMEDOUT"}`]);
  expect(await about(becomeReady)).toEqual(["The store is connected"]);
  expect(await lose("ETIMEDOUT")).toEqual([`${lost} {"code":"ETIMEDOUT"}`]);
  expect(await ask("NOSCRIPT No matching script")).toEqual([]);
  expect(await ask("OOM command not allowed")).toEqual([`${refuses} {"code":"OOM"}`]);
  expect(await ask("OOM command not allowed")).toEqual([]);
  expect(await ask("LOADING Redis is loading")).toEqual([`${refuses} {"code":"LOADING"}`]);
  expect(await ask()).toEqual([]);
  expect(await ask("LOADING Redis is loading")).toEqual([`${refuses} {"code":"LOADING"}`]);
});

test.each([
  ["WRONGPASS invalid username-password pair or user hunter2 is disabled.", "WRONGPASS"],
  ["OOM command not allowed when used memory > 'maxmemory'.", "OOM"],
  ["READONLY You can't write against a read only replica.", "READONLY"],
  ["Something else about hunter2", undefined],
])("the log names the server's word, once: %s", async (message, code) => {
  const warnings: unknown[][] = [];
  const log = { ...silent, warn: (...entry: unknown[]) => void warnings.push(entry) };
  const { emit, load } = fakeRedis(true, async () => Promise.reject(new Error(message)));
  const opened = await openStore({ ...settings, "store-timeout": 5 }, log, load);
  for (const key of ["a", "b"]) await opened?.store.update(key, (before) => before);
  const refusals =
    code === undefined ? [] : [[expect.stringContaining("refuses to count"), { code }]];
  expect(warnings).toEqual(refusals);
  emit(new Error(message));
  emit(new Error(message));
  expect(warnings.slice(refusals.length)).toEqual([
    [expect.stringContaining("cannot be reached"), { code: code ?? "Error" }],
  ]);
  expect(JSON.stringify(warnings)).not.toContain("hunter2");
});

test.each([
  ["3", []],
  [
    "5",
    [
      [
        "Another replica on this store has other --max-attempts: give all the same",
        { own: 3, other: 5 },
      ],
    ],
  ],
  ["0", []],
  ["3.5", []],
  ["nonsense", []],
])("another replica allows %s attempts", async (others, expected) => {
  const warnings: unknown[][] = [];
  const log = { ...silent, warn: (...entry: unknown[]) => void warnings.push(entry) };
  const sent: string[] = [];
  const { load } = fakeRedis(true, (command) => {
    sent.push(command.join(" "));
    return command[0] === "GET" ? others : null;
  });
  await openStore(settings, log, load);
  // The first replica leaves what it allows, for as long as attempts are kept.
  const key = "toolcontract:max-attempts";
  await expect.poll(() => sent).toEqual([`SET ${key} 3 NX PX 600000`, `GET ${key}`]);
  await expect.poll(() => warnings).toEqual(expected);
});

const hasSqlite = process.getBuiltinModule?.("node:sqlite") !== undefined;

describe.skipIf(!hasSqlite)("a file of SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "toolcontract-"));
  const failed = { failed: 1, history: [], turnId: "t", turnOutcome: "counted" } as const;

  test("is shared by the processes of one machine", async () => {
    const store = join(folder, "attempts.db");
    const [one, other] = [
      await openStore({ ...settings, store }, silent),
      await openStore({ ...settings, store }, silent),
    ];
    await one?.store.update("key", () => failed);
    expect(await other?.store.get("key")).toMatchObject({ failed: 1 });
    one?.close();
    other?.close();
  });

  test.each([
    ["in a folder that does not exist", join(folder, "none", "attempts.db")],
    ["that is not a database", join(folder, "text.db")],
  ])("%s is said so", async (_, store) => {
    writeFileSync(
      join(folder, "text.db"),
      "This is a text, and long enough to have a header. ".repeat(9),
    );
    await expect(openStore({ ...settings, store }, silent)).rejects.toThrow(
      "cannot be opened as a database",
    );
  });
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

test("a new file of SQLite and those beside it are their owner's alone, and an old one stays as it is", async () => {
  const folder = mkdtempSync(join(tmpdir(), "toolcontract-mcp-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [fresh, shared] = [join(folder, "a.db"), join(folder, "b.db")];
  writeFileSync(shared, "");
  chmodSync(shared, 0o640);
  for (const store of [fresh, shared]) {
    const opened = await openStore({ ...settings, store }, silent);
    await opened?.store.update("k", () => ({
      failed: 1,
      history: [],
      turnId: "1",
      turnOutcome: "counted",
    }));
    for (const name of readdirSync(folder).filter((one) => store.endsWith(one.slice(0, 4))))
      expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([
        name,
        store === fresh ? 0o600 : 0o640,
      ]);
    opened?.close();
  }
});
