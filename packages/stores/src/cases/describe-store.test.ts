import { type AttemptStore, createMemoryStore } from "@toolcontract/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLocalStore, createVersionedStore, type VersionedEngine } from "../engines/index.ts";
import { describeStore } from "./describe-store.ts";
import type { StoreHarness } from "./harness.ts";
import { equalsSomeSequence, makeCall, replicaTracker } from "./interleavings.ts";

describe("a store in memory", () => {
  describeStore(
    { place: () => createMemoryStore({ maxEntries: 100_000 }), open: (store) => store },
    test,
  );
});

type Entries = Map<string, string>;

/** An engine in a map; `pass` is waited for before each read and each swap. */
function engineIn(entries: Entries, pass: () => Promise<unknown>): VersionedEngine {
  return {
    async read(name) {
      await pass();
      return { value: entries.get(name) };
    },
    async swap(name, expected, next) {
      await pass();
      if (entries.get(name) !== expected) return { value: entries.get(name) };
      if (next === undefined) entries.delete(name);
      else entries.set(name, next);
      return "done";
    },
  };
}

const inMap = {
  place: (): Entries => new Map(),
  clear: (entries: Entries) => entries.clear(),
  poison(entries: Entries, value: string): void {
    for (const name of entries.keys()) entries.set(name, value);
  },
};

async function jitter(): Promise<void> {
  for (let hops = Math.floor(Math.random() * 6); hops > 0; hops -= 1) await Promise.resolve();
}

describe("a versioned store whose engine answers after random times", () => {
  describeStore(
    { ...inMap, open: (entries) => createVersionedStore(engineIn(entries, jitter)) },
    test,
  );
});

describe("a versioned store whose engine answers at once", () => {
  describeStore(
    {
      ...inMap,
      open: (entries) =>
        createVersionedStore({
          read: (name) => ({ value: entries.get(name) }),
          swap(name, expected, next) {
            if (entries.get(name) !== expected) return { value: entries.get(name) };
            if (next === undefined) entries.delete(name);
            else entries.set(name, next);
            return "done";
          },
        }),
    },
    test,
  );
});

test("in every interleaving that a scheduler finds, replicas are answered as in some sequence", async () => {
  const call = fc.record({
    replica: fc.nat(2),
    turnId: fc.constantFrom("1", "2", "3", "4"),
    isValid: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(call, { minLength: 2, maxLength: 6 }),
      async (scheduler, calls) => {
        const entries: Entries = new Map();
        const pass = async (): Promise<void> => scheduler.schedule(Promise.resolve());
        const trackers = [0, 1, 2].map(() =>
          replicaTracker(createVersionedStore(engineIn(entries, pass))),
        );
        const answered = Promise.all(
          calls.map(async (one) => makeCall(trackers[one.replica] ?? replicaTracker(), one)),
        );
        const answers = await scheduler.waitFor(answered);
        expect(await equalsSomeSequence({ calls, answers })).toBe(true);
      },
    ),
  );
});

describe("finds the fault of", () => {
  /** Those of the named cases that a store fails. */
  async function failing<Place>(
    harness: StoreHarness<Place>,
    names: readonly string[],
  ): Promise<readonly string[]> {
    const failed: string[] = [];
    const cases: (readonly [string, () => Promise<void>])[] = [];
    describeStore(harness, (name, run) => cases.push([name, run]));
    for (const [name, run] of cases)
      if (names.includes(name)) await run().catch(() => failed.push(name));
    return failed;
  }
  const changing = (change: (store: AttemptStore) => AttemptStore): StoreHarness<AttemptStore> => ({
    place: () => createMemoryStore({ maxEntries: 100_000 }),
    open: change,
  });
  const [lost, order, together] = [
    "updates of one key follow each other, from any number of stores at once",
    "what replicas are answered at once is what one process would be answered in some order",
    "four processes at once: each of 100 failed turns of 20 keys counts, and 200 tools escalate exactly once",
  ];

  test("an engine that only reads and writes", async () => {
    const harness: StoreHarness<Entries> = {
      ...inMap,
      open: (entries) =>
        createLocalStore({
          get: async (name) => (await jitter(), entries.get(name)),
          set: async (name, value) => (await jitter(), entries.set(name, value)),
          delete: async (name) => (await jitter(), entries.delete(name)),
        }),
    };
    const names = [lost, order, together];
    expect((await failing(harness, names)).toSorted()).toEqual(names.toSorted());
  });

  test.each<[string, (store: AttemptStore) => AttemptStore, string]>([
    [
      "a store that keeps what should be removed",
      (store) => ({
        ...store,
        update: (key, change) => store.update(key, (b, now) => change(b, now) ?? b),
      }),
      "undefined removes, and so does delete()",
    ],
    [
      "a store whose delete() does nothing",
      (store) => ({ ...store, delete: () => undefined }),
      "reset() clears one tool only",
    ],
    [
      "a store that cuts its keys",
      (store) => ({ ...store, update: (key, change) => store.update(key.slice(0, 60), change) }),
      "conversations and tools are kept apart, whatever their names are",
    ],
    [
      "a store that drops outcomes",
      (store) => ({
        ...store,
        update: (key, change) =>
          store.update(key, (before, now) => {
            const { outcome: _outcome, ...after } = change(before, now) ?? {};
            return "failed" in after ? after : undefined;
          }),
      }),
      "a tool that is closed stays closed in its lane, with its outcome",
    ],
    [
      "a store that says nothing of what it found",
      (store) => ({
        ...store,
        update: async (key, change) => ({
          ...(await store.update(key, change)),
          before: undefined,
        }),
      }),
      "an update says what it found and what it left",
    ],
  ])("%s", async (_, change, name) => {
    expect(await failing(changing(change), [name])).toEqual([name]);
  });
});
