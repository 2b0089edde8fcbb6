import { type AttemptStore, createMemoryStore } from "@toolcontract/core";
import { createVersionedStore } from "@toolcontract/stores";
import { describe, expect, test } from "vitest";
import { type GatedServer, gatedServer, serverOf, textOf } from "../testing/gated-server.ts";

const inputSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const CHANGED = { ...inputSchema, additionalProperties: false };

/** Gates of several processes on one store, each with a clock that is off by this much. */
function replicas(skews: readonly number[], store: AttemptStore) {
  let now = 1_000_000;
  const servers = skews.map((skew) =>
    gatedServer(serverOf([{ name: "count", inputSchema }]), {
      clock: () => now + skew,
      store,
    }),
  );
  let latest = -1;
  return {
    now: () => now,
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
    /** The next replica in turn. */
    next: (): GatedServer => {
      latest += 1;
      const server = servers[latest % servers.length];
      if (!server) throw new Error("There is no replica.");
      return server;
    },
  };
}

/** A store in memory whose engine has a clock of its own. */
function clockedStore(clock: () => number): AttemptStore {
  const values = new Map<string, string>();
  return createVersionedStore({
    read: async (key) => ({ value: values.get(key), now: clock() }),
    async swap(key, expected, next) {
      if (values.get(key) !== expected) return { value: values.get(key), now: clock() };
      if (next === undefined) values.delete(key);
      else values.set(key, next);
      return "done";
    },
  });
}

/** The attempt in the answer to a call, or 0 if the call was forwarded. */
async function attempt(server: GatedServer, n: unknown, owner = "network"): Promise<number> {
  const link = { ...server.link({ attemptKey: "session" }), owner };
  const text = textOf(await server.call("count", { n }, link));
  return Number(/(?:attempt|blocked after) (\d)\/3/.exec(text)?.[1] ?? 0);
}

describe("gates of several processes on one store", () => {
  test("a session that is served by all of them in turn has one count", async () => {
    const { next, wait } = replicas([0, 0, 0], createMemoryStore());
    const seen: number[] = [];
    for (const n of ["one", "two", "three", "four"]) {
      seen.push(await attempt(next(), n));
      wait(1_000);
    }
    expect(seen).toEqual([1, 2, 3, 3]);
  });

  test("it counts together whatever the address of the load balancer is", async () => {
    const { next, wait } = replicas([0, 0], createMemoryStore());
    expect(await attempt(next(), "one", "10.0.0.1")).toBe(1);
    wait(1_000);
    expect(await attempt(next(), "two", "10.0.0.2")).toBe(2);
  });

  test.each<[string, readonly number[]]>([
    ["equal clocks", [0, 0, 0]],
    ["clocks that are minutes apart", [-300_000, 0, 90_000]],
  ])("parallel calls of one message are one attempt, with %s", async (_, skews) => {
    const shared: AttemptStore = clockedStore(() => fleet.now());
    const fleet = replicas(skews, shared);
    const together = async (): Promise<readonly number[]> =>
      Promise.all(["one", "two", "three"].map(async (n) => attempt(fleet.next(), n)));
    expect(await together()).toEqual([1, 1, 1]);
    fleet.wait(100);
    expect(await together()).toEqual([2, 2, 2]);
  });

  test("calls that another process has answered are a new attempt, however soon", async () => {
    const { next } = replicas([0, 0], createMemoryStore());
    const together = async (...calls: readonly string[]): Promise<readonly number[]> =>
      Promise.all(calls.map(async (n) => attempt(next(), n)));
    expect(await together("one", "two")).toEqual([1, 1]);
    expect(await together("two", "one")).toEqual([2, 2]);
    expect(await together("one", "two")).toEqual([3, 3]);
  });

  test("a repeated call is a new attempt, however soon and wherever", async () => {
    const { next } = replicas([0, 0], createMemoryStore());
    const seen = [
      await attempt(next(), "x"),
      await attempt(next(), "x"),
      await attempt(next(), "x"),
    ];
    expect(seen).toEqual([1, 2, 3]);
  });

  test("a valid call that another process forwards resets the count", async () => {
    const { next, wait } = replicas([0, 0], createMemoryStore());
    expect(await attempt(next(), "one")).toBe(1);
    wait(1_000);
    expect(await attempt(next(), 1)).toBe(0);
    wait(1_000);
    expect(await attempt(next(), "two")).toBe(1);
  });

  test("a tool with another schema is another run; one with the same schema is not", async () => {
    let now = 1_000_000;
    const store = createMemoryStore();
    const serving = (schema: object): GatedServer =>
      gatedServer(serverOf([{ name: "count", inputSchema: schema }]), { clock: () => now, store });
    const seen: number[] = [];
    for (const schema of [inputSchema, { ...inputSchema }, CHANGED, inputSchema]) {
      seen.push(await attempt(serving(schema), "one"));
      now += 1_000;
    }
    expect(seen).toEqual([1, 2, 1, 1]);
  });
});
