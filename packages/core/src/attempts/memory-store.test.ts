import { expectSimilarCost } from "@toolcontract/case-table/cost";
import { describe, expect, test } from "vitest";
import type { AttemptState } from "./attempt-state.ts";
import { createMemoryStore } from "./memory-store.ts";

const HOUR = 3_600_000;

function state(failed: number): AttemptState {
  return { failed, history: [], turnId: "t", turnOutcome: "counted" };
}

describe("createMemoryStore", () => {
  test("keeps, replaces and deletes", () => {
    const store = createMemoryStore();
    store.update("a", () => state(1));
    store.update("a", () => state(2));
    expect(store.get("a")).toEqual(state(2));
    store.delete("a");
    expect(store.get("a")).toBeUndefined();
  });

  test("an update says what it found and what it left; undefined removes, the same state writes nothing", () => {
    let now = 0;
    const store = createMemoryStore({ clock: () => now });
    expect(store.update("a", () => state(1))).toEqual({ before: undefined, after: state(1) });
    const kept = store.get("a");
    expect(store.update("a", (before) => before)).toEqual({ before: state(1), after: state(1) });
    expect(store.get("a")).toBe(kept);
    now = HOUR + 1;
    expect(store.update("a", (before) => before)).toEqual({ before: undefined, after: undefined });
    store.update("a", () => state(2));
    expect(store.update("a", () => undefined)).toEqual({ before: state(2), after: undefined });
    expect(store.get("a")).toBeUndefined();
  });

  test("drops the least recently used entry beyond the limit", () => {
    const store = createMemoryStore({ maxEntries: 2 });
    store.update("a", () => state(1));
    store.update("b", () => state(1));
    store.get("a");
    store.update("c", () => state(1));
    expect(["a", "b", "c"].map((key) => store.get(key) !== undefined)).toEqual([true, false, true]);
  });

  test.each([
    ["an hour", {}, HOUR],
    ["its idle time", { idleTime: 5_000 }, 5_000],
  ])("expires an entry that was not used for %s", (_, options, idleTime) => {
    let now = 0;
    const store = createMemoryStore({ ...options, clock: () => now });
    store.update("a", () => state(1));
    now = idleTime;
    expect(store.get("a")).toEqual(state(1));
    now += idleTime + 1;
    expect(store.get("a")).toBeUndefined();
  });

  test("never holds more than its limit and drops the stalest first", () => {
    const store = createMemoryStore({ maxEntries: 100 });
    for (let key = 0; key < 1_000; key++) store.update(`k${key}`, () => state(1));
    const kept = Array.from({ length: 1_000 }, (_, key) => store.get(`k${key}`) !== undefined);
    expect(kept.filter(Boolean).length).toBeGreaterThan(80);
    expect(kept.filter(Boolean).length).toBeLessThanOrEqual(100);
    expect(kept.lastIndexOf(false)).toBe(kept.indexOf(true) - 1);
  });

  test("an entry that expired makes room, though the store is not full", () => {
    let now = 0;
    const store = createMemoryStore({ maxEntries: 100, clock: () => now });
    for (let key = 0; key < 10; key += 1) store.update(`old${key}`, () => state(1));
    now = HOUR + 1;
    for (let key = 0; key < 60; key += 1) store.update(`new${key % 20}`, () => state(1));
    now = 0;
    const isKept = (key: string): boolean => store.get(key) !== undefined;
    expect(Array.from({ length: 10 }, (_, key) => isKept(`old${key}`))).not.toContain(true);
    expect(Array.from({ length: 20 }, (_, key) => isKept(`new${key}`))).not.toContain(false);
  });

  test("takes about the same time for a tool among 100 and among 100,000", async () => {
    const calls = (entries: number) => {
      const store = createMemoryStore({ maxEntries: entries });
      for (let key = 0; key < entries; key++) store.update(`k${key}`, () => state(1));
      let added = 0;
      return () => {
        for (let round = 0; round < 10_000; round++) {
          store.get(`k${round % entries}`);
          store.update(`new${added++}`, () => state(1));
        }
      };
    };
    await expectSimilarCost(calls, [100, 100_000]);
  });
});
