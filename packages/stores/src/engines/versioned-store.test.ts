import { type AttemptState, ToolContractError } from "@toolcontract/core";
import { createRetryTracker } from "@toolcontract/core/adapter";
import { describe, expect, test } from "vitest";
import { createVersionedStore, type VersionedEngine } from "./versioned-store.ts";

const key = JSON.stringify(["anna@example.com", "write_file"]);
const one: AttemptState = { failed: 1, history: [], turnId: "t", turnOutcome: "counted" };
const two: AttemptState = { ...one, failed: 2 };

/** An engine in a map that notes what it is asked; `rivals` run before a swap. */
function engine(rivals: ((entries: Map<string, string>) => void)[] = []) {
  const entries = new Map<string, string>();
  const log: string[] = [];
  const fake: VersionedEngine = {
    read: (name, idleTime) => {
      log.push(`read ${idleTime}`);
      return { value: entries.get(name) };
    },
    swap: (name, expected, next, idleTime) => {
      rivals.shift()?.(entries);
      log.push(`${next === undefined ? "delete" : "write"} ${idleTime}`);
      if (entries.get(name) !== expected) return { value: entries.get(name) };
      if (next === undefined) entries.delete(name);
      else entries.set(name, next);
      return "done";
    },
  };
  return { entries, log, fake };
}

describe("createVersionedStore", () => {
  test("a valid call of a tool that never failed is one read, a failure one read and one write", async () => {
    const { fake, log, entries } = engine();
    const store = createVersionedStore(fake, { idleTime: 5_000 });
    const tracker = createRetryTracker({ scope: "run", maxAttempts: 3, store });
    const attempts = { conversationId: "c", toolName: "t" };
    await tracker.recordValid(attempts, { turnId: "1" });
    expect(log.splice(0)).toEqual(["read 5000"]);
    await tracker.recordFailure(attempts, { turnId: "2", argumentsHash: "", errors: [] });
    expect(log.splice(0)).toEqual(["read 5000", "write 5000"]);
    await tracker.recordValid(attempts, { turnId: "3" });
    await tracker.recordValid(attempts, { turnId: "3" });
    expect(log.splice(0)).toEqual(["read 5000", "write 5000", "read 5000"]);
    await tracker.recordValid(attempts, { turnId: "4" });
    expect(log.splice(0)).toEqual(["read 5000", "delete 5000"]);
    expect(entries.size).toBe(0);
  });

  test("the key shows neither the conversation nor the tool, and differs for each", () => {
    const { fake, entries } = engine();
    const store = createVersionedStore(fake);
    store.update(key, () => one);
    store.update(JSON.stringify(["anna@example.com", "read_file"]), () => one);
    expect(entries.size).toBe(2);
    for (const name of entries.keys()) expect(name).toMatch(/^toolcontract:1:[0-9a-f]{32}$/);
    createVersionedStore(fake, { prefix: "shop:" }).update(key, () => one);
    expect([...entries.keys()].at(-1)).toMatch(/^shop:[0-9a-f]{32}$/);
  });

  test("each write has a revision of its own, even of the same state", () => {
    const { fake, entries } = engine();
    const store = createVersionedStore(fake);
    const values = Array.from({ length: 100 }, () => {
      store.update(key, () => ({ ...one }));
      return [...entries.values()][0] ?? "";
    });
    expect(new Set(values.map((value) => value.slice(0, 16))).size).toBe(100);
    expect(new Set(values.map((value) => value.slice(16)))).toEqual(
      new Set([JSON.stringify({ v: 1, ...one })]),
    );
  });

  test("a conflict asks again with what is there, without reading again", () => {
    const rivals: ((entries: Map<string, string>) => void)[] = [];
    const { fake, log } = engine(rivals);
    const store = createVersionedStore(fake);
    store.update(key, () => one);
    log.splice(0);
    const theirs = `${"r".repeat(16)}${JSON.stringify({ v: 1, ...two })}`;
    rivals.push(
      (entries) => entries.forEach((_, name) => entries.set(name, theirs)),
      (entries) => entries.clear(),
    );
    const seen: (number | undefined)[] = [];
    const update = store.update(key, (before) => {
      seen.push(before?.failed);
      return { ...one, failed: (before?.failed ?? 0) + 1 };
    });
    expect(seen).toEqual([1, 2, undefined]);
    expect(update).toEqual({ before: undefined, after: one });
    expect(log).toEqual(["read 3600000", "write 3600000", "write 3600000", "write 3600000"]);
  });

  test("gives up after 100 conflicts, with an error that quotes nothing", () => {
    let serial = 0;
    const busy: VersionedEngine = {
      read: () => ({ value: undefined }),
      swap: () => ({
        value: `${(serial += 1)}`.padStart(16, "0") + JSON.stringify({ v: 1, ...one }),
      }),
    };
    expect(() => createVersionedStore(busy).update(key, () => two)).toThrow(
      "An entry changed 100 times during one update.",
    );
    expect(serial).toBe(100);
  });

  test("a swap that is sent again, because its reply was lost, counts once and is announced", () => {
    const { fake } = engine();
    const resending: VersionedEngine = {
      ...fake,
      swap: (...given) => {
        fake.swap(...given);
        return fake.swap(...given);
      },
    };
    const store = createVersionedStore(resending);
    const seen: (number | undefined)[] = [];
    for (const state of [one, two]) {
      const update = store.update(key, (before) => {
        seen.push(before?.failed);
        return state;
      });
      expect(update).toEqual({ before: state === two ? one : undefined, after: state });
    }
    expect(seen).toEqual([undefined, 1]);
    store.delete(key);
    expect(store.get(key)).toBeUndefined();
  });

  test("passes the engine's clock to the change", () => {
    const times: (number | undefined)[] = [];
    let now = 7;
    const clocked: VersionedEngine = {
      read: () => ({ value: null, now: (now += 1) }),
      swap: () => (now < 10 ? { value: null, now: (now += 1) } : "done"),
    };
    createVersionedStore(clocked).update(key, (_, time) => {
      times.push(time);
      return one;
    });
    expect(times).toEqual([8, 9, 10]);
  });

  test.each([
    ["too short", "x"],
    ["empty", ""],
    ["not JSON", "0123456789abcdef{"],
    ["of a later version", `0123456789abcdef${JSON.stringify({ v: 2, ...two })}`],
  ])("what is there but %s counts as nothing and is replaced", (_, poison) => {
    const { fake, entries } = engine();
    const store = createVersionedStore(fake);
    store.update(key, () => two);
    for (const name of entries.keys()) entries.set(name, poison);
    expect(store.get(key)).toBeUndefined();
    expect(store.update(key, () => one)).toEqual({ before: undefined, after: one });
    expect(store.get(key)).toEqual(one);
  });

  test.each<[string, () => unknown, string]>([
    [
      "an engine of the wrong form",
      () => createVersionedStore({ read: () => ({ value: "" }) } as never),
      "createVersionedStore: pass an engine with the functions read, swap.",
    ],
    [
      "an idle time of no time",
      () => createVersionedStore(engine().fake, { idleTime: 0 }),
      "createVersionedStore: `idleTime` must be a whole number of milliseconds, at least 1.",
    ],
    [
      "an idle time beyond what engines can read",
      () => createVersionedStore(engine().fake, { idleTime: 1e21 }),
      "createVersionedStore: `idleTime` must be a whole number of milliseconds, at least 1.",
    ],
    [
      "a prefix that is not a string",
      () => createVersionedStore(engine().fake, { prefix: 1 as never }),
      "createVersionedStore: `prefix` must be a string.",
    ],
  ])("%s is an error at once", (_, create, message) => {
    expect(create).toThrow(new ToolContractError(message));
  });
});
