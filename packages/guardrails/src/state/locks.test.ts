import { describe, expect, test } from "vitest";
import { createLocks, type Locks, type Release } from "./locks.ts";

/** Says who holds what, in the order in which it was granted. */
function recording(locks: Locks) {
  const granted: string[] = [];
  const releases = new Map<string, Release>();
  return {
    granted,
    ask: async (name: string, slots: readonly string[], signal?: AbortSignal): Promise<void> => {
      releases.set(name, await locks.acquire(slots, signal));
      granted.push(name);
    },
    release: async (name: string): Promise<void> => {
      releases.get(name)?.();
      await settled();
    },
  };
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe("locks", () => {
  test("free slots are taken at once, without a promise", () => {
    const locks = createLocks();
    expect(locks.acquire(["x"])).toBeTypeOf("function");
    expect(locks.acquire(["y", "z"])).toBeTypeOf("function");
    expect(locks.acquire([])).toBeTypeOf("function");
    expect(locks.acquire(["x"])).toBeInstanceOf(Promise);
  });

  test("A(x, y) and B(y, x) both finish", async () => {
    const { ask, granted, release } = recording(createLocks());
    await ask("A", ["x", "y"]);
    const waiting = ask("B", ["y", "x"]);
    expect(granted).toEqual(["A"]);
    await release("A");
    await waiting;
    expect(granted).toEqual(["A", "B"]);
  });

  test("first come, first served; who wants other slots does not wait", async () => {
    const { ask, granted, release } = recording(createLocks());
    void ask("A", ["x"]);
    void ask("B", ["x", "y"]);
    void ask("C", ["y"]);
    void ask("D", ["z"]);
    await settled();
    expect(granted).toEqual(["A", "D"]);
    await release("A");
    expect(granted).toEqual(["A", "D", "B"]);
    await release("B");
    expect(granted).toEqual(["A", "D", "B", "C"]);
  });

  test("all that have become free go on together", async () => {
    const { ask, granted, release } = recording(createLocks());
    await ask("all", ["x", "y"]);
    void ask("X", ["x"]);
    void ask("Y", ["y"]);
    await release("all");
    expect(granted).toEqual(["all", "X", "Y"]);
  });

  test("who is aborted leaves the queue, and lets those behind go on", async () => {
    const locks = createLocks();
    const { ask, granted, release } = recording(locks);
    const abort = new AbortController();
    void ask("A", ["x"]);
    const aborted = ask("B", ["x", "y"], abort.signal);
    void ask("C", ["y"]);
    await settled();
    abort.abort(new Error("too late"));
    await expect(aborted).rejects.toThrow("too late");
    await settled();
    expect(granted).toEqual(["A", "C"]);
    await release("A");
    expect(locks.acquire(["x"])).toBeTypeOf("function");
  });

  test("an abort after the grant changes nothing", async () => {
    const locks = createLocks();
    const { ask, granted, release } = recording(locks);
    const abort = new AbortController();
    await ask("A", ["x"]);
    const second = ask("B", ["x"], abort.signal);
    await release("A");
    await second;
    abort.abort();
    expect(granted).toEqual(["A", "B"]);
    expect(locks.acquire(["x"])).toBeInstanceOf(Promise);
  });

  test("who is aborted already gets nothing", () => {
    const locks = createLocks();
    expect(() => locks.acquire(["x"], AbortSignal.abort(new Error("gone")))).toThrow("gone");
    expect(locks.acquire(["x"])).toBeTypeOf("function");
  });

  test("releasing twice does not release the next holder", async () => {
    const locks = createLocks();
    const first = await locks.acquire(["x"]);
    first();
    void (await locks.acquire(["x"]));
    first();
    expect(locks.acquire(["x"])).toBeInstanceOf(Promise);
  });

  test("the same slot twice is one slot", async () => {
    const locks = createLocks();
    (await locks.acquire(["x", "x"]))();
    expect(locks.acquire(["x"])).toBeTypeOf("function");
  });
});
