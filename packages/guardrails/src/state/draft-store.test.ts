import { ToolContractError } from "@toolcontract/core";
import { create } from "mutative";
import { afterEach, describe, expect, test, vi } from "vitest";
import { draftStore } from "./draft-store.ts";
import { UncopyableStateError } from "./uncopyable-state-error.ts";

vi.mock("node:module", async (original) => {
  const { createRequire } = await original<typeof import("node:module")>();
  return { createRequire: vi.fn(createRequire) };
});

afterEach(() => {
  vi.restoreAllMocks();
});

const shop = () => ({
  orders: [
    { id: 1, lines: [{ sku: "A1", qty: 1 }] },
    { id: 2, lines: [] as { sku: string; qty: number }[] },
  ],
  users: new Map([["ann", { age: 1, tags: new Set(["x"]) }]]),
  count: 0,
  note: undefined as string | undefined,
});
type Shop = ReturnType<typeof shop>;

const CHANGES: readonly (readonly [kind: string, change: (state: Shop) => unknown])[] = [
  ["a field", (state) => (state.orders[0]!.lines[0]!.qty = 2)],
  ["push", (state) => state.orders.push({ id: 3, lines: [] })],
  ["splice", (state) => state.orders.splice(0, 1)],
  ["length", (state) => (state.orders.length = 1)],
  ["a deleted field", (state) => delete (state.orders[0] as { id?: number }).id],
  ["Map.set", (state) => state.users.set("bob", { age: 2, tags: new Set() })],
  ["Map.delete", (state) => state.users.delete("ann")],
  ["a field of a Map's value", (state) => (state.users.get("ann")!.age = 2)],
  ["Set.add", (state) => state.users.get("ann")!.tags.add("y")],
  ["a number", (state) => (state.count += 1)],
  ["a slot that was undefined", (state) => (state.note = "hi")],
  [
    "a whole slot made of parts of the old one",
    (state) => (state.orders = [...state.orders.slice(1), { id: 9, lines: [] }]),
  ],
  [
    "what one slot takes from another",
    (state) => (state.orders[1]!.id = state.users.get("ann")!.age),
  ],
];

describe("draftStore", () => {
  test.each(CHANGES)("%s: rolled back, nothing has changed", async (_kind, change) => {
    const store = draftStore(shop());
    const stage = store.begin();
    change(stage.state);
    await stage.rollback();
    expect(store.state).toEqual(shop());
  });

  test.each(CHANGES)(
    "%s: committed, the change is there and nothing else",
    async (_kind, change) => {
      const initial = shop();
      const after = shop();
      change(after);
      const store = draftStore(initial);
      const stage = store.begin();
      change(stage.state);
      expect(stage.seal()).toEqual(after);
      expect(store.state).toEqual(shop());
      await stage.commit();
      expect(store.state).toEqual(after);
      expect(initial).toEqual(shop());
      const again = store.begin();
      again.state.users.set("later", { age: 0, tags: new Set() });
      again.state.orders.push({ id: 0, lines: [] });
      await again.commit();
      expect([store.state.users.size, store.state.orders.length]).toEqual([
        after.users.size + 1,
        after.orders.length + 1,
      ]);
    },
  );

  test("what has not changed is shared by the old and the new state", async () => {
    const store = draftStore(shop());
    const { users, orders } = store.state;
    const stage = store.begin();
    void stage.state.users.get("ann")?.age;
    stage.state.orders[0]!.id = 7;
    await stage.commit();
    expect(store.state.users).toBe(users);
    expect(store.state.orders[1]).toBe(orders[1]);
    expect(store.state.orders[0]).not.toBe(orders[0]);
  });

  test("only reading is no conflict for others", async () => {
    const store = draftStore(shop());
    const [reader, writer] = [store.begin(), store.begin()];
    void reader.state.orders.length;
    writer.state.orders[0]!.id = 7;
    await reader.commit();
    expect(writer.conflicts()).toEqual([]);
    await writer.commit();
    expect(store.begin().conflicts()).toEqual([]);
  });

  test("two that change the same slot: the second conflicts", async () => {
    const store = draftStore(shop());
    const [one, two] = [store.begin(), store.begin()];
    one.state.orders[0]!.id = 7;
    two.state.orders[1]!.id = 8;
    await one.commit();
    expect(two.conflicts()).toEqual(["orders"]);
  });

  test.each([
    ["an object", (view: Shop) => (view.orders[0]!.id = 5)],
    ["an array", (view: Shop) => view.orders.push({ id: 5, lines: [] })],
    ["a Map", (view: Shop) => view.users.clear()],
    ["a Set", (view: Shop) => view.users.get("ann")?.tags.clear()],
  ])("what is committed is read-only: %s", async (_kind, write) => {
    const store = draftStore(shop());
    const stage = store.begin();
    stage.state.users.get("ann")!.tags.add("y");
    stage.state.orders[0]!.id = 1.5;
    await stage.commit();
    const before = store.state;
    expect(() => write(before as unknown as Shop)).toThrow();
    expect(before.users.get("ann")?.tags.size).toBe(2);
  });

  test("what the tool keeps in its hands changes nothing later", async () => {
    const store = draftStore(shop());
    const stage = store.begin();
    const order = stage.state.orders[0]!;
    const mine = { id: 3, lines: [] };
    stage.state.orders.push(mine);
    await stage.commit();
    expect(() => (order.id = 9)).toThrow(TypeError);
    mine.id = 9;
    expect(store.state.orders.map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  test("an attempt inside another reads what that one has staged, and is undone with it", async () => {
    const store = draftStore(shop());
    const outer = store.begin();
    outer.state.orders[0]!.id = 7;
    outer.state.users.get("ann")!.tags.add("y");
    const inner = store.begin(outer);
    expect([inner.state.orders[0]!.id, inner.state.users.get("ann")!.tags.size]).toEqual([7, 2]);
    inner.state.orders[1]!.id = 8;
    await inner.commit();
    expect(outer.state.orders.map(({ id }) => id)).toEqual([7, 8]);
    outer.state.orders[0]!.id = 6;
    await outer.rollback();
    expect(store.state).toEqual(shop());
  });

  class Cart {
    items = [];
  }
  const one = {};

  const WRONG: readonly (readonly [found: string, path: string, value: unknown])[] = [
    ["Date", "/slot/at", { at: new Date(0) }],
    ["Uint8Array", "/slot", new Uint8Array(1)],
    ["ArrayBuffer", "/slot", new ArrayBuffer(1)],
    ["Cart", "/slot/0", [new Cart()]],
    ["RegExp", "/slot", /a/],
    ["Error", "/slot", new Error("no")],
    ["object without a prototype", "/slot", Object.create(null)],
    ["function", "/slot/run", { run: () => 1 }],
    ["Promise", "/slot", Promise.resolve()],
    ["accessor", "/slot/total", { get total() { return 1; } }], // oxfmt-ignore
    ["object with a symbol key", "/slot", { [Symbol("s")]: 1 }],
    ["Map with objects as keys", "/slot", new Map([[{}, 1]])],
    ["an object that is in two places", "/slot/b", { a: one, b: one }],
    ["an object that is in two places", "/slot/self", selfish()],
  ];

  function selfish(): object {
    const self: { self?: object } = {};
    self.self = self;
    return self;
  }

  test.each(WRONG)("%s at %s is refused at once", (found, path, slot) => {
    const act = () => draftStore({ slot });
    expect(act).toThrow(ToolContractError);
    expect(act).toThrow(
      `State: not plain data at ${path}: ${found}. A draft holds objects, arrays, Map, Set and primitives`,
    );
  });

  test.each(WRONG)(
    "%s at %s, left by a tool, is refused when the attempt is sealed",
    async (found, path, value) => {
      const store = draftStore<{ slot: unknown }>({ slot: null });
      const stage = store.begin();
      stage.state.slot = value;
      const error = thrownBy(() => stage.seal());
      expect(error).toBeInstanceOf(UncopyableStateError);
      expect(error).toMatchObject({
        slot: "slot",
        path,
        message: expect.stringContaining(`: ${found}. `) as string,
      });
      await stage.rollback();
      expect(store.state).toEqual({ slot: null });
    },
  );

  test("what a tool puts into a second place is refused if both are new", () => {
    const stage = draftStore(shop()).begin();
    stage.state.orders.push(stage.state.orders[0]!);
    expect(() => stage.seal()).toThrow(
      "not plain data at /orders/2: an object that is in two places.",
    );
  });

  test("takes create of mutative", async () => {
    const made: unknown[] = [];
    const store = draftStore(shop(), {
      create: (base, options) => {
        made.push(options);
        return create(base, options);
      },
    });
    const stage = store.begin();
    stage.state.count = 3;
    await stage.commit();
    expect(made).toEqual([{ strict: true }]);
    expect(draftStore(shop(), { create }).state).toEqual(shop());
  });

  test("without mutative it says what to install", async () => {
    const { createRequire } = await import("node:module");
    vi.mocked(createRequire).mockImplementation(() => {
      throw new Error("Cannot find module 'mutative'");
    });
    const act = () => draftStore(shop());
    expect(act).toThrow(ToolContractError);
    expect(act).toThrow(/^draftStore: the package mutative is missing: npm install mutative@2\./);
  });

  function thrownBy(act: () => unknown): unknown {
    try {
      act();
    } catch (error) {
      return error;
    }
    return undefined;
  }
});
