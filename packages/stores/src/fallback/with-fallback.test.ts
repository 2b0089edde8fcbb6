import {
  type AttemptState,
  type AttemptStore,
  ToolContractError,
  createContract,
  createMemoryStore,
  type RetryTracker,
} from "@toolcontract/core";
import { createRetryTracker } from "@toolcontract/core/adapter";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createVersionedStore, type StoredValue } from "../engines/index.ts";
import { withFallback } from "./with-fallback.ts";

const key = { conversationId: "chat", toolName: "tool" };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

class EngineDown extends Error {}

/** An engine that may hang, fail, or lose everything; what hangs goes on once it is released. */
function engine() {
  const entries = new Map<string, string>();
  const log: string[] = [];
  let mode: "up" | "hanging" | "down" | "losing replies" = "up";
  let held: (() => void)[] = [];

  async function pass(): Promise<void> {
    if (mode === "down") throw new EngineDown("connection refused");
    if (mode === "hanging") await new Promise<void>((resolve) => held.push(resolve));
    else await Promise.resolve();
  }
  return {
    entries,
    log,
    become(next: typeof mode): void {
      mode = next;
      if (mode === "hanging") return;
      for (const release of held.splice(0)) release();
      held = [];
    },
    store: createVersionedStore({
      async read(name): Promise<StoredValue> {
        log.push("read");
        await pass();
        return { value: entries.get(name) };
      },
      async swap(name, expected, next) {
        log.push("swap");
        await pass();
        if (entries.get(name) !== expected) return { value: entries.get(name) };
        if (next === undefined) entries.delete(name);
        else entries.set(name, next);
        if (mode === "losing replies") throw new EngineDown("connection reset");
        return "done";
      },
    }),
  };
}

function throwing(thrown: unknown): never {
  throw thrown;
}

function twice(resolve: (value: unknown) => void): void {
  for (const value of [undefined, 1]) resolve(value);
}

let turn = 0;
async function fail(tracker: RetryTracker): Promise<number> {
  const failure = { turnId: `${(turn += 1)}`, argumentsHash: "", errors: [] };
  return (await tracker.recordFailure(key, failure)).attempt;
}

/** Waits for a tracker while the clock runs, and says how long it took. */
async function timed<T>(task: Promise<T>): Promise<{ readonly took: number; readonly got: T }> {
  const start = performance.now();
  const ends: number[] = [];
  const done = task.finally(() => ends.push(performance.now()));
  done.catch(() => undefined);
  while (ends.length === 0) await vi.advanceTimersByTimeAsync(1);
  return { took: (ends[0] ?? 0) - start, got: await done };
}

function replica(store: AttemptStore): {
  readonly tracker: RetryTracker;
  readonly store: AttemptStore;
} {
  const own = withFallback(store);
  return {
    store: own,
    tracker: createRetryTracker({ scope: "run", maxAttempts: 20, store: own }),
  };
}

describe("withFallback", () => {
  test("an engine that hangs costs 500 ms three times, then once a second, and counting goes on", async () => {
    const shared = engine();
    const { tracker } = replica(shared.store);
    expect(await fail(tracker)).toBe(1);
    expect(await fail(tracker)).toBe(2);
    shared.become("hanging");
    for (const attempt of [3, 4, 5]) {
      const { got, took } = await timed(fail(tracker));
      expect(got).toBe(attempt);
      expect(took).toBeGreaterThanOrEqual(500);
      expect(took).toBeLessThan(510);
    }
    for (const attempt of [6, 7])
      expect(await timed(fail(tracker))).toEqual({ took: 0, got: attempt });
    await vi.advanceTimersByTimeAsync(1_000);
    const asked = shared.log.length;
    const probes = await Promise.all([
      timed(fail(tracker)),
      timed(tracker.status({ ...key, toolName: "b" })),
    ]);
    expect(probes[0]?.got).toBe(8);
    expect(probes.map(({ took }) => took >= 500)).toEqual([true, false]);
    expect(shared.log.length).toBe(asked + 1);
  });

  test("one late answer is done without for that call alone, and what it counted is merged", async () => {
    const shared = engine();
    const { tracker, store } = replica(shared.store);
    const other = replica(shared.store);
    expect(await fail(tracker)).toBe(1);
    for (const attempt of [2, 4, 6]) {
      shared.become("hanging");
      expect((await timed(fail(tracker))).got).toBe(attempt);
      shared.become("up");
      expect(store.outage).toBeUndefined();
      expect(await fail(tracker)).toBe(attempt + 1);
    }
    expect(await fail(other.tracker)).toBe(8);
  });

  test("a connection error is an outage at once", async () => {
    const shared = engine();
    const { tracker, store } = replica(shared.store);
    shared.become("down");
    await fail(tracker);
    expect(store.outage?.cause).toBeInstanceOf(EngineDown);
  });

  test.each([
    ["here", 1],
    ["elsewhere", 2],
  ])(
    "a run that began %s during the outage ends the count of the one before",
    async (where, next) => {
      const shared = engine();
      const options = { scope: "run", maxAttempts: 20 } as const;
      const own = withFallback(shared.store);
      const tracker = createRetryTracker({ ...options, store: own });
      const other = createRetryTracker({ ...options, store: shared.store });
      const record = async (one: RetryTracker, runId: string): Promise<number> => {
        const failure = { turnId: `${(turn += 1)}`, runId, argumentsHash: "", errors: [] };
        return (await one.recordFailure(key, failure)).attempt;
      };
      for (const attempt of [1, 2, 3]) expect(await record(tracker, "old")).toBe(attempt);
      shared.become("down");
      await record(tracker, where === "here" ? "new" : "old");
      shared.become("up");
      await record(other, where === "here" ? "old" : "new");
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await record(tracker, "new")).toBe(where === "here" ? next + 1 : next);
    },
  );

  test("once it answers, the next update merges what was counted meanwhile", async () => {
    const shared = engine();
    const { tracker } = replica(shared.store);
    await fail(tracker);
    shared.become("hanging");
    await timed(fail(tracker));
    await timed(fail(tracker));
    shared.become("up");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await fail(tracker)).toBe(4);
    const other = replica(shared.store);
    expect(await fail(other.tracker)).toBe(5);
    expect(await fail(tracker)).toBe(6);
  });

  test("an update that ran out of time never writes later", async () => {
    const shared = engine();
    const { tracker } = replica(shared.store);
    await fail(tracker);
    const kept = [...shared.entries.values()];
    shared.become("hanging");
    for (let call = 0; call < 3; call += 1) {
      await timed(fail(tracker));
      await vi.advanceTimersByTimeAsync(1_000);
    }
    shared.become("up");
    await vi.advanceTimersByTimeAsync(10);
    expect([...shared.entries.values()]).toEqual(kept);
    expect(await fail(tracker)).toBe(5);
  });

  test("a write that was under way when the time ran out counts its turn once", async () => {
    const shared = engine();
    const { tracker } = replica(shared.store);
    await fail(tracker);
    const swaps: (() => void)[] = [];
    const slow = replica({
      ...shared.store,
      update: async (name, change) => {
        const update = await shared.store.update(name, change);
        await new Promise<void>((resolve) => swaps.push(resolve));
        return update;
      },
    });
    expect((await timed(fail(slow.tracker))).got).toBe(2 - 1);
    for (const release of swaps) release();
    // It had never seen the key, so it counted from nothing; what it wrote is there, and the higher count wins.
    expect(await fail(tracker)).toBe(3);
  });

  test.each([
    ["nobody else counted", 0, 4],
    ["others counted less", 1, 4],
    ["others counted more", 5, 7],
  ])("back again after 2 failures alone: %s", async (_, others, next) => {
    const shared = engine();
    const { tracker } = replica(shared.store);
    const other = replica(shared.store);
    await fail(tracker);
    shared.become("down");
    await fail(tracker);
    await fail(tracker);
    shared.become("up");
    for (let count = 0; count < others; count += 1) await fail(other.tracker);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await fail(tracker)).toBe(next);
  });

  test("an engine that comes back empty gets the state of the key that is called", async () => {
    const shared = engine();
    const { tracker } = replica(shared.store);
    await fail(tracker);
    shared.become("down");
    expect(await fail(tracker)).toBe(2);
    shared.entries.clear();
    shared.become("up");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await fail(tracker)).toBe(3);
    expect(await fail(replica(shared.store).tracker)).toBe(4);
  });

  test("an engine that loses everything while it answers forgets, as it says", async () => {
    const shared = engine();
    const { tracker } = replica(shared.store);
    await fail(tracker);
    shared.entries.clear();
    expect(await fail(tracker)).toBe(1);
  });

  test("one process is answered what it would be without an engine, whatever the engine does", async () => {
    const step = fc.record({
      mode: fc.constantFrom("up", "down", "hanging", "losing replies", undefined),
      wait: fc.constantFrom(0, 10, 600, 1_100),
      isNewTurn: fc.boolean(),
      isValid: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const shared = engine();
        const own = createRetryTracker({ scope: "thread", maxAttempts: 3 });
        const store = withFallback(shared.store);
        const tracker = createRetryTracker({ scope: "thread", maxAttempts: 3, store });
        let turns = 0;
        for (const { mode, wait, isNewTurn, isValid } of steps) {
          if (mode !== undefined) shared.become(mode);
          await vi.advanceTimersByTimeAsync(wait);
          if (isNewTurn) turns += 1;
          const call = { turnId: `${turns}`, argumentsHash: `${turns}`, errors: [] };
          const record = async (one: RetryTracker) =>
            isValid ? one.recordValid(key, call) : one.recordFailure(key, call);
          expect((await timed(record(tracker))).got).toEqual(await record(own));
        }
      }),
    );
  });

  test("a success during the outage ends the count, unless others counted on", async () => {
    for (const others of [0, 1]) {
      const shared = engine();
      const { tracker } = replica(shared.store);
      const other = replica(shared.store);
      await fail(tracker);
      shared.become("down");
      await tracker.recordValid(key, { turnId: "valid" });
      await tracker.recordValid(key, { turnId: "valid again" });
      shared.become("up");
      for (let count = 0; count < others; count += 1) await fail(other.tracker);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await fail(tracker)).toBe(others === 0 ? 1 : 3);
    }
  });

  test("what was closed on either side stays closed, and is announced once", async () => {
    const shared = engine();
    const own = withFallback(shared.store);
    const tracker = createRetryTracker({ scope: "thread", maxAttempts: 3, store: own });
    const record = async (closes: boolean) =>
      tracker.recordFailure(key, {
        turnId: `${(turn += 1)}`,
        argumentsHash: "",
        errors: [],
        closes,
      });
    shared.become("down");
    expect(await record(true)).toMatchObject({ attempt: 1, status: "blocked", announced: false });
    shared.become("up");
    const other = createRetryTracker({ scope: "thread", maxAttempts: 3, store: shared.store });
    for (const turnId of ["x", "y"]) {
      await other.recordFailure(key, { turnId, argumentsHash: "", errors: [] });
    }
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await tracker.status(key, { turnId: "z" })).toMatchObject({
      status: "blocked",
      settled: true,
    });
    expect(await record(false)).toMatchObject({ attempt: 2, status: "blocked", announced: true });
    expect(
      await other.recordFailure(key, { turnId: "z", argumentsHash: "", errors: [] }),
    ).toMatchObject({
      status: "blocked",
      announced: true,
    });
  });

  test("a busy event loop is not a hanging engine", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const shared = createMemoryStore();
    // Answers that need two turns of the event loop, as those of a socket do.
    const ioTurn = async (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
    const remote: AttemptStore = {
      get: async (name) => (await ioTurn(), await ioTurn(), shared.get(name)),
      update: async (name, change) => (await ioTurn(), await ioTurn(), shared.update(name, change)),
      delete: async (name) => (await ioTurn(), shared.delete(name)),
    };
    const { tracker, store } = replica(remote);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const counted = fail(tracker);
      // However long the loop was busy, the timer that waits fires before an answer is read.
      vi.advanceTimersToNextTimer();
      expect(await counted).toBe(attempt);
    }
    expect(store.outage).toBeUndefined();
    expect(shared.update('["chat","tool"]', (before) => before).after?.failed).toBe(3);
  });

  test("a store in memory still answers at once", () => {
    const store = withFallback(createMemoryStore());
    const one: AttemptState = { failed: 1, history: [], turnId: "t", turnOutcome: "counted" };
    expect(store.update("a", () => one)).toEqual({ before: undefined, after: one });
    expect(store.get("a")).toEqual(one);
    expect(store.delete("a")).toBeUndefined();
    expect(store.get("a")).toBeUndefined();
  });

  test.each<[string, () => unknown]>([
    ["throws undefined", () => throwing(undefined)],
    ["throws a string", () => throwing("down")],
    ["rejects with undefined", async () => throwing(undefined)],
    ["rejects with a frozen error", async () => throwing(Object.freeze(new EngineDown()))],
    ["never answers", () => ({ then: () => undefined })],
    ["throws in then()", () => ({ then: () => throwing(new EngineDown()) })],
    ["answers twice", () => ({ then: twice })],
    ["answers null", () => null],
    ["resolves to undefined", async () => undefined],
    ["resolves to a string", async () => "OK"],
    ["resolves to something without a state", async () => ({})],
    ["resolves to states that are none", async () => ({ before: 1, after: "x" })],
  ])("counts on, and announces once, with a store that %s", async (_, answer) => {
    const odd = { get: answer, update: answer, delete: answer } as unknown as AttemptStore;
    const store = withFallback(odd);
    const tracker = createRetryTracker({ scope: "run", maxAttempts: 3, store });
    const seen: unknown[] = [];
    for (let call = 1; call <= 5; call += 1) {
      const failure = { turnId: `${call}`, argumentsHash: "", errors: [] };
      const { got } = await timed(tracker.recordFailure(key, failure));
      seen.push([got.attempt, got.announced]);
      if (call === 2) await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(seen).toEqual([
      [1, false],
      [2, false],
      [3, false],
      [3, true],
      [3, true],
    ]);
    expect(store.outage).toBeDefined();
  });

  test("around a store that has a fallback, shows the outage of that one", async () => {
    const shared = engine();
    const { tracker, store } = replica(withFallback(shared.store));
    shared.become("down");
    expect(await fail(tracker)).toBe(1);
    expect(store.outage?.cause).toBeInstanceOf(EngineDown);
    shared.become("up");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await fail(tracker)).toBe(2);
    expect(store.outage).toBeUndefined();
  });

  test("what the change throws is not an outage, and is thrown", async () => {
    const shared = engine();
    const store = withFallback(shared.store);
    const wrong = new TypeError("a mistake of the caller");
    await expect(
      store.update("a", () => {
        throw wrong;
      }),
    ).rejects.toBe(wrong);
    expect(store.outage).toBeUndefined();
  });

  test("keeps no more than 10,000 keys, however long the outage is", async () => {
    const shared = engine();
    shared.become("down");
    const store = withFallback(shared.store, { pause: 1e9 });
    const one: AttemptState = { failed: 1, history: [], turnId: "t", turnOutcome: "counted" };
    for (let index = 0; index < 30_000; index += 1) await store.update(`${index}`, () => one);
    expect(store.get("0")).toBeUndefined();
    expect(store.get("29999")).toBe(one);
  });

  test.each<[string, () => unknown, string]>([
    [
      "no store",
      () => withFallback({ get: () => undefined, set: () => undefined } as never),
      "withFallback: the first argument must be an AttemptStore.",
    ],
    [
      "a limit of no time",
      () => withFallback(createMemoryStore(), { timeLimit: 0 }),
      "withFallback: `timeLimit` must be a number of milliseconds above 0.",
    ],
    [
      "a pause that is not a number",
      () => withFallback(createMemoryStore(), { pause: "1s" as never }),
      "withFallback: `pause` must be a number of milliseconds above 0.",
    ],
  ])("%s is an error at once", (_, create, message) => {
    expect(create).toThrow(new ToolContractError(message));
  });
});

test("a contract reports each switch once: the outage as an event, its end in the log", async () => {
  const shared = engine();
  const log: string[] = [];
  const contract = createContract({
    store: withFallback(shared.store),
    logger: ({ level, ...fields }, message) => {
      if ("stage" in fields) log.push(`${level} ${message}: ${String(fields.stage)}`);
    },
  });
  const events: unknown[] = [];
  contract.on("contract-degraded", (event) => events.push(event));
  const call = async (toolName: string): Promise<string> => {
    const tool = { name: toolName, inputSchema: { required: ["a"] } };
    const context = { tool, conversationId: "c", turnId: `${(turn += 1)}`, execute: () => 1 };
    const sent = { id: "1", name: toolName, arguments: "{}" };
    return (await contract.handle(sent, context)).status;
  };
  for (let outage = 1; outage <= 2; outage += 1) {
    shared.become("down");
    for (const name of ["a", "b", "a", "b"]) await call(name);
    await vi.advanceTimersByTimeAsync(1_000);
    await call("a");
    shared.become("up");
    await vi.advanceTimersByTimeAsync(1_000);
    for (const name of ["a", "b"]) await call(name);
    expect(events).toHaveLength(outage);
  }
  expect(events).toEqual([
    { stage: "store", errorClass: "EngineDown" },
    { stage: "store", errorClass: "EngineDown" },
  ]);
  expect(log).toEqual([
    "warn Tool contract degraded: store",
    "info Tool contract restored: store",
    "warn Tool contract degraded: store",
    "info Tool contract restored: store",
  ]);
});
