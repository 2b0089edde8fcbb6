import { afterEach, expect, test, vi } from "vitest";
import type { AttemptStore, StoreOutage } from "./attempt-store.ts";
import { createMemoryStore } from "./memory-store.ts";
import { type StoreResult, timedStore } from "./timed-store.ts";

afterEach(() => {
  vi.useRealTimers();
});

const STATE = { failed: 1, history: [], turnId: "t", turnOutcome: "counted" } as const;
const DOWN: StoreOutage = { cause: new Error("down") };

/** A store whose outages the test sets, and what was reported of its answers. */
function timed(store: AttemptStore = createMemoryStore()) {
  const reported: [StoreResult, number][] = [];
  let outage: StoreOutage | undefined;
  const wrapped = timedStore(
    {
      get: (key) => store.get(key),
      update: (key, change) => store.update(key, change),
      delete: (key) => store.delete(key),
      get outage() {
        return outage;
      },
    },
    (...report) => reported.push(report),
  );
  return { wrapped, reported, setOutage: (next: StoreOutage | undefined) => void (outage = next) };
}

/** A store in memory that answers in promises. */
function asynchronous(): AttemptStore {
  const store = createMemoryStore();
  return {
    get: async (key) => store.get(key),
    update: async (key, change) => store.update(key, change),
    delete: async (key) => store.delete(key),
  };
}

test.each([
  ["at once", createMemoryStore],
  ["in a promise", asynchronous],
])("what a store answers %s is handed on, and each answer is reported once", async (_, create) => {
  const { wrapped, reported } = timed(create());
  expect(await wrapped.get("a")).toBeUndefined();
  expect(await wrapped.update("a", () => STATE)).toEqual({ before: undefined, after: STATE });
  expect(await wrapped.get("a")).toEqual(STATE);
  expect(await wrapped.delete("a")).toBeUndefined();
  expect(await wrapped.get("a")).toBeUndefined();
  expect(reported.map(([result]) => result)).toEqual(["ok", "ok", "ok", "ok", "ok"]);
});

test.each<
  [name: string, before: StoreOutage | undefined, during: StoreOutage | undefined, StoreResult]
>([
  ["no outage", undefined, undefined, "ok"],
  ["one that begins", undefined, DOWN, "failed"],
  ["one that goes on: its engine is not asked", DOWN, DOWN, "skipped"],
  ["one that ends", DOWN, undefined, "ok"],
  ["another one", DOWN, { ...DOWN }, "failed"],
])("of an outage: %s", (_, before, during, result) => {
  const { wrapped, reported, setOutage } = timed();
  setOutage(before);
  wrapped.update("a", () => {
    setOutage(during);
    return STATE;
  });
  expect(reported.map(([reportedAs]) => reportedAs)).toEqual([result]);
  expect(wrapped.outage).toBe(during);
});

test.each(["get", "update", "delete"] as const)("what %s throws is thrown, and failed", (name) => {
  const fail = (): never => {
    throw DOWN.cause;
  };
  const { wrapped, reported } = timed({ get: fail, update: fail, delete: fail });
  expect(() => wrapped[name]("a", () => STATE)).toThrow("down");
  expect(reported.map(([result]) => result)).toEqual(["failed"]);
});

test("what it rejects with is rejected, and failed", async () => {
  const fail = async (): Promise<never> => Promise.reject(DOWN.cause);
  const { wrapped, reported } = timed({ get: fail, update: fail, delete: fail });
  await expect(wrapped.get("a")).rejects.toBe(DOWN.cause);
  expect(reported.map(([result]) => result)).toEqual(["failed"]);
});

test("the time is in seconds, from the question to the answer", async () => {
  vi.useFakeTimers();
  const { wrapped, reported } = timed();
  wrapped.update("a", () => {
    vi.advanceTimersByTime(250);
    return STATE;
  });
  expect(reported).toEqual([["ok", 0.25]]);
});
