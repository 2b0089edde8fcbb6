import { type AttemptState, type AttemptStore, createMemoryStore } from "@toolcontract/core";
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
  /** A store that keeps something else than it is given. */
  const keeping =
    (keep: (after: AttemptState) => AttemptState | undefined) =>
    (store: AttemptStore): AttemptStore => ({
      ...store,
      update: (key, change) =>
        store.update(key, (before, now) => {
          const after = change(before, now);
          return after && keep(after);
        }),
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

  test("a store of each process alone", async () => {
    const names = [
      "attempts are counted by model turn: one failure a turn",
      'a new run changes nothing in scope "thread"',
      "a slow engine counts exactly",
      "an engine that fails: counting goes on, and the higher count wins",
    ];
    expect(
      await failing(
        changing(() => createMemoryStore()),
        names,
      ),
    ).toEqual(names);
  });

  const failedOnce: AttemptState = { failed: 1, history: [], turnId: "t", turnOutcome: "counted" };
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
      keeping(({ outcome: _outcome, ...after }) => after),
      "a tool that is closed stays closed in its lane, with its outcome",
    ],
    [
      "a store that drops the history",
      keeping((after) => ({ ...after, history: [] })),
      "the history of the attempts is what was recorded, and names a repetition",
    ],
    [
      "a store that drops the run",
      keeping(({ runId: _runId, ...after }) => after),
      "a new run starts a new count",
    ],
    [
      "a store that drops when a turn began",
      keeping(({ turnAt: _turnAt, ...after }) => after),
      "calls within the window are one turn on all stores, whatever turns they name",
    ],
    [
      "a store that has something under every key",
      (store) => ({ ...store, get: (key) => store.get(key) ?? failedOnce }),
      "what was never stored is null or undefined, and change() gets undefined",
    ],
    [
      "a store that has an error of its own for what change() throws",
      (store) => ({
        ...store,
        update(key, change) {
          try {
            return store.update(key, change);
          } catch (cause) {
            throw new Error("The update failed.", { cause });
          }
        },
      }),
      "what change() throws is thrown, and nothing is written",
    ],
    [
      "a store that removes before it asks change()",
      (store) => ({
        ...store,
        update(key, change) {
          const before = store.get(key) as AttemptState | undefined;
          store.delete(key);
          return store.update(key, () => change(before));
        },
      }),
      "what change() throws is thrown, and nothing is written",
    ],
    [
      "a store whose delete() removes everything",
      () => {
        let store = createMemoryStore();
        return {
          get: (key) => store.get(key),
          update: (key, change) => store.update(key, change),
          delete: () => void (store = createMemoryStore()),
        };
      },
      "reset() clears one tool only",
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

  test.each<[string, string]>([
    ["cleared", "an engine that loses everything counts from the start, exactly"],
    ["poisoned", "a foreign value counts as nothing and is replaced: short"],
  ])("a store that remembers what its engine had before it was %s", async (_, name) => {
    const stores = new WeakMap<Entries, AttemptStore>();
    const harness: StoreHarness<Entries> = {
      ...inMap,
      open(entries) {
        const known = stores.get(entries) ?? createMemoryStore();
        stores.set(entries, known);
        return known;
      },
    };
    expect(await failing(harness, [name])).toEqual([name]);
  });
});
