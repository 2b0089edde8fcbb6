import { ToolContractError } from "@toolcontract/core";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Staged } from "../shared/index.ts";
import { slotStore } from "./slot-store.ts";
import { UncopyableStateError } from "./uncopyable-state-error.ts";

interface Shop {
  cart: { items: { sku: string; qty: number }[]; note?: string };
  stock: Record<string, number>;
  count: number;
}

const shop = (): Shop => ({
  cart: { items: [{ sku: "A1", qty: 1 }] },
  stock: { A1: 5 },
  count: 0,
});

function expectMisuse(act: () => unknown, words: RegExp): void {
  expect(act).toThrow(ToolContractError);
  expect(act).toThrow(words);
}

describe("an attempt on slots", () => {
  /** What a tool does to a value of each kind. */
  const CHANGES: readonly (readonly [
    kind: string,
    make: () => unknown,
    change: (slot: { value: never }) => unknown,
    after: unknown,
  ])[] = [
    row(
      "a field",
      () => ({ b: 1, a: 2 }),
      ({ value }) => (value.b = 3),
      { b: 3, a: 2 },
    ),
    row(
      "a deleted field",
      (): { b?: number; a: number } => ({ b: 1, a: 2 }),
      ({ value }) => delete value.b,
      { a: 2 },
    ),
    row(
      "a field of a frozen object",
      () => Object.freeze({ a: 1 }) as { a: number },
      ({ value }) => (value.a = 2),
      { a: 2 },
    ),
    row(
      "a whole slot",
      () => ({ a: 1 }),
      (slot) => (slot.value = { a: 2 }),
      { a: 2 },
    ),
    row(
      "a number",
      () => 1,
      (slot) => (slot.value += 1),
      2,
    ),
    row(
      "splice",
      () => [1, 2, 3],
      ({ value }) => value.splice(1, 1),
      [1, 3],
    ),
    row(
      "a new order",
      () => [3, 1, 2],
      ({ value }) => value.push(...value.splice(0, 1)),
      [1, 2, 3],
    ),
    row(
      "length",
      () => [3, 1, 2],
      ({ value }) => (value.length = 1),
      [3],
    ),
    row(
      "Map.set",
      () => new Map([["a", 1]]),
      ({ value }) => value.set("b", 2),
      new Map([
        ["a", 1],
        ["b", 2],
      ]),
    ),
    row(
      "Map.delete",
      () => new Map([["a", 1]]),
      ({ value }) => value.delete("a"),
      new Map(),
    ),
    row(
      "a field of a Map's value",
      () => new Map([["a", { n: 1 }]]),
      ({ value }) => (value.get("a")!.n = 2),
      new Map([["a", { n: 2 }]]),
    ),
    row(
      "a Map's key",
      () => new Map([[{ id: 1 }, 1]]),
      ({ value }) => ([...value.keys()][0]!.id = 2),
      new Map([[{ id: 2 }, 1]]),
    ),
    row(
      "Set.add",
      () => new Set([{ a: 1 }]),
      ({ value }) => value.add({ a: 2 }),
      new Set([{ a: 1 }, { a: 2 }]),
    ),
    row(
      "a field of a Set's value",
      () => new Set([{ a: 1 }]),
      ({ value }) => ([...value][0]!.a = 2),
      new Set([{ a: 2 }]),
    ),
    row(
      "a Date",
      () => new Date(0),
      ({ value }) => value.setTime(5),
      new Date(5),
    ),
    row(
      "a typed array",
      () => new Uint8Array([1, 2]),
      ({ value }) => (value[0] = 9),
      new Uint8Array([9, 2]),
    ),
    row(
      "a buffer under a view",
      () => new DataView(new ArrayBuffer(2)),
      ({ value }) => value.setUint8(0, 7),
      new DataView(new Uint8Array([7, 0]).buffer),
    ),
    row(
      "a regular expression's place",
      () => ({ re: /a/g }),
      ({ value }) => (value.re.lastIndex = 1),
      { re: Object.assign(/a/g, { lastIndex: 1 }) },
    ),
    row(
      "an error's message",
      () => ({ e: new TypeError("no") }),
      ({ value }) => (value.e.message = "yes"),
      { e: new TypeError("yes") },
    ),
    row(
      "an object without a prototype",
      () => bare(1),
      ({ value }) => (value.a = 2),
      bare(2),
    ),
    row(
      "a cycle",
      () => cycle(1),
      ({ value }) => (value.n = 2),
      cycle(2),
    ),
    row(
      "an alias",
      () => alias(1),
      ({ value }) => (value.a.n = 2),
      alias(2),
    ),
  ];

  function row<T>(
    kind: string,
    make: () => T,
    change: (slot: { value: T }) => unknown,
    after: unknown,
  ) {
    return [kind, make, change as (slot: { value: never }) => unknown, after] as const;
  }

  function bare(a: number): { a: number } {
    return Object.assign(Object.create(null) as object, { a });
  }

  function cycle(n: number): { n: number; self?: object } {
    const one: { n: number; self?: object } = { n };
    one.self = one;
    return one;
  }

  function alias(n: number): { a: { n: number }; b: { n: number } } {
    const one = { n };
    return { a: one, b: one };
  }

  test.each(CHANGES)("%s: rolled back, nothing has changed", async (_kind, make, change) => {
    const initial = { value: make() };
    const store = slotStore(initial);
    const stage = store.begin();
    change(stage.state as { value: never });
    expect(isDeepStrictEqual(stage.state.value, make())).toBe(false);
    await stage.rollback();
    expect(store.state).toEqual({ value: make() });
    expect(JSON.stringify(orderOf(store.state.value))).toBe(JSON.stringify(orderOf(make())));
    expect(initial).toStrictEqual({ value: make() });
  });

  test.each(CHANGES)(
    "%s: committed, the change is there and nothing else",
    async (_kind, make, change, after) => {
      const initial = { value: make() };
      const store = slotStore(initial);
      const stage = store.begin();
      change(stage.state as { value: never });
      const held = stage.state.value;
      expect(stage.seal()).toEqual({ value: after });
      expect(store.state).toEqual({ value: make() });
      await stage.commit();
      expect(store.state).toEqual({ value: after });
      change({ value: held } as { value: never });
      expect(store.state).toEqual({ value: after });
      expect(initial).toStrictEqual({ value: make() });
    },
  );

  function orderOf(value: unknown): unknown {
    return typeof value === "object" && value !== null ? Object.keys(value) : value;
  }

  test("an alias is still one object after a commit", async () => {
    const one = { n: 1 };
    const store = slotStore({ value: { a: one, b: one } });
    const stage = store.begin();
    stage.state.value.a.n = 2;
    await stage.commit();
    expect(store.state.value.a).toBe(store.state.value.b);
  });

  test("copies only what it touches, and says what that was", async () => {
    const store = slotStore(shop());
    const stage = store.begin();
    expect(stage.touched()).toEqual([]);
    expect(Object.keys(stage.state)).toEqual(["cart", "stock", "count"]);
    expect(stage.touched()).toEqual([]);
    stage.state.count += 1;
    expect(stage.touched()).toEqual(["count"]);
    const { cart } = store.state;
    await stage.commit();
    expect(store.state.cart).toBe(cart);
    expect(store.state.count).toBe(1);
  });

  test("the view of what is committed stays the same until the next commit", async () => {
    const store = slotStore(shop());
    const view = store.state;
    const stage = store.begin();
    stage.state.cart.items.push({ sku: "B2", qty: 2 });
    stage.seal();
    expect(store.state).toBe(view);
    await stage.commit();
    expect(store.state).not.toBe(view);
    expect(view).toEqual(shop());
    expect(store.state).toBe(store.state);
    expect(Object.isFrozen(store.state)).toBe(true);
  });

  test("a slot can be assigned what the store has committed", async () => {
    const store = slotStore(shop());
    const stage = store.begin();
    stage.state.cart = store.state.cart as Shop["cart"];
    stage.state.cart = { items: [...stage.state.cart.items, { sku: "B2", qty: 1 }] };
    await stage.commit();
    expect(store.state.cart.items.map(({ sku }) => sku)).toEqual(["A1", "B2"]);
  });

  test("a tool can copy what it got with structuredClone", () => {
    const stage = slotStore(shop()).begin();
    expect(structuredClone(stage.state)).toEqual(shop());
  });

  test("a new top-level key is refused, and the slots are named", () => {
    const stage = slotStore(shop()).begin();
    expectMisuse(
      () => Object.assign(stage.state, { coupon: 1 }),
      /^State: there is no slot 'coupon'; the slots are cart, stock, count\. Put it into one of them, or into the store's initial state\.$/,
    );
    expect("coupon" in stage.state).toBe(false);
  });

  test("measures how long copying took, and no more", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const clone = <T>(value: T): T => {
      vi.advanceTimersByTime(5);
      return structuredClone(value);
    };
    const stage = slotStore(shop(), { codecs: { cart: { clone } } }).begin();
    vi.advanceTimersByTime(100);
    expect(stage.isolationMs).toBe(0);
    void stage.state.cart;
    vi.advanceTimersByTime(100);
    expect(stage.isolationMs).toBe(5);
  });
});

describe("an attempt that is over", () => {
  const ENDS: readonly (readonly [string, (stage: Staged<Shop>) => unknown])[] = [
    ["sealed", (stage) => stage.seal()],
    ["committed", (stage) => stage.commit()],
    ["rolled back", (stage) => stage.rollback()],
  ];

  test.each(ENDS)("%s: refuses to read and to write", (_name, end) => {
    const store = slotStore(shop());
    const { state, ...rest } = { stage: store.begin(), get state() { return this.stage.state; } }; // oxfmt-ignore
    const { cart } = state;
    end(rest.stage);
    const before = store.state;
    expectMisuse(() => state.cart, /the attempt is closed/);
    expectMisuse(() => state.stock, /the attempt is closed/);
    expectMisuse(() => (state.count = 3), /the attempt is closed/);
    cart.items.push({ sku: "late", qty: 1 });
    expect(store.state).toBe(before);
    expect(store.state).toEqual(shop());
  });

  test("commits once, and a rollback afterwards does nothing", async () => {
    const store = slotStore(shop());
    const stage = store.begin();
    stage.state.count = 1;
    await stage.commit();
    await stage.rollback();
    await stage.rollback();
    expect(store.state.count).toBe(1);
    expectMisuse(() => stage.commit(), /the attempt is closed/);
  });

  test("a rolled back one cannot be committed or sealed", async () => {
    const store = slotStore(shop());
    const stage = store.begin();
    stage.state.count = 1;
    await stage.rollback();
    expectMisuse(() => stage.commit(), /the attempt is closed/);
    expectMisuse(() => stage.seal(), /the attempt is closed/);
    expect(store.state).toEqual(shop());
  });
});

describe("state that cannot be copied", () => {
  class Cart {
    items: unknown[] = [];
  }

  test("is refused when it is left in a slot, by its place, and nothing is committed", async () => {
    const store = slotStore(shop());
    const stage = store.begin();
    stage.state.count = 7;
    stage.state.cart.items.push(new Cart() as never);
    const error = thrownBy(() => stage.seal());
    expect(error).toBeInstanceOf(UncopyableStateError);
    expect(error).toMatchObject({ slot: "cart", path: "/cart/items/1" });
    expect((error as Error).message).toBe(
      "State: not plain data at /cart/items/1: Cart. Plain data is JSON values, with finite numbers, undefined, bigint, Map, Set, Date, RegExp, " +
        "Error, ArrayBuffer and its views. To keep anything else, pass slotStore a codec: { codecs: { cart: { clone } } }.",
    );
    expectMisuse(() => stage.commit(), /the attempt is closed/);
    await stage.rollback();
    expect(store.state).toEqual(shop());
  });

  test.each([
    [
      "a class",
      { cart: { a: [new Cart()] } },
      /not plain data at \/cart\/a\/0: Cart\..*codecs: \{ cart/,
    ],
    ["a function", { cart: { total: () => 1 } }, /not plain data at \/cart\/total: function\./],
    ["a promise", { cart: Promise.resolve({}) }, /not plain data at \/cart: Promise\./],
    [
      "no object",
      "cart",
      /pass the initial state as an object of slots, such as slotStore\(\{ cart: \[\] \}\)/,
    ],
    ["nothing", undefined, /pass the initial state as an object of slots/],
    [
      "an instance",
      new Cart(),
      /must be a plain object whose keys are the slots.*of the class Cart/,
    ],
    ["an array", [1], /must be a plain object whose keys are the slots.*of the class Array/],
    ["a Map", new Map([["cart", 1]]), /must be a plain object.*of the class Map/],
    ["an accessor", { get cart() { return 1; } }, /the slot 'cart' must be an ordinary property/], // oxfmt-ignore
    ["a symbol", { [Symbol("cart")]: 1 }, /the slot 'Symbol\(cart\)' must be an ordinary property/],
  ])("as the initial state, %s is refused at once", (_kind, initial, words) => {
    expectMisuse(() => slotStore(initial as object), words);
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

describe("two attempts on the same state", () => {
  interface Ledger {
    a: { n: number };
    b: { n: number };
    list: string[];
  }

  const ledger = (): Ledger => ({ a: { n: 1 }, b: { n: 1 }, list: [] });

  function overlapping() {
    const store = slotStore(ledger());
    return { store, one: store.begin(), two: store.begin() };
  }

  test("different slots: both apply, and neither conflicts", async () => {
    const { store, one, two } = overlapping();
    one.state.a.n = 2;
    two.state.b.n = 3;
    await one.commit();
    expect(two.conflicts()).toEqual([]);
    await two.commit();
    expect(store.state).toEqual({ a: { n: 2 }, b: { n: 3 }, list: [] });
  });

  test("the same counter: the second conflicts", async () => {
    const { store, one, two } = overlapping();
    one.state.a.n += 1;
    two.state.a.n += 1;
    expect(two.conflicts()).toEqual([]);
    await one.commit();
    expect(two.conflicts()).toEqual(["a"]);
    await two.rollback();
    const again = store.begin();
    again.state.a.n += 1;
    expect(again.conflicts()).toEqual([]);
    await again.commit();
    expect(store.state.a.n).toBe(3);
  });

  test("both push: the second conflicts", async () => {
    const { one, two } = overlapping();
    one.state.list.push("one");
    two.state.list.push("two");
    await one.commit();
    expect(two.conflicts()).toEqual(["list"]);
  });

  test("one fails after the other has committed: what was committed stays", async () => {
    const { store, one, two } = overlapping();
    one.state.a.n = 9;
    two.state.a.n = 2;
    await two.commit();
    await one.rollback();
    expect(store.state.a.n).toBe(2);
  });

  test("none sees what the other has staged", () => {
    const { store, one, two } = overlapping();
    one.state.a.n = 9;
    one.seal();
    expect(two.state.a.n).toBe(1);
    expect(store.state.a.n).toBe(1);
  });

  test("one throws midway: nothing of it stays", async () => {
    const { store, one } = overlapping();
    one.state.a.n = 9;
    one.state.list.push("half");
    await one.rollback();
    expect(store.state).toEqual(ledger());
  });

  test("write skew: each reads what the other writes, and the second conflicts", async () => {
    const { one, two } = overlapping();
    if (one.state.b.n > 0) one.state.a.n = 0;
    if (two.state.a.n > 0) two.state.b.n = 0;
    await one.commit();
    expect(two.conflicts()).toEqual(["a", "b"]);
  });

  test("a value that has not changed is not a conflict for others", async () => {
    const store = slotStore({ count: 1 });
    const [one, two] = [store.begin(), store.begin()];
    void one.state.count;
    two.state.count += 1;
    await one.commit();
    expect(two.conflicts()).toEqual([]);
  });
});

describe("an attempt inside another", () => {
  test("reads what the outer one has staged, and commits into it", async () => {
    const store = slotStore(shop());
    const outer = store.begin();
    outer.state.cart.items.push({ sku: "B2", qty: 1 });
    const inner = store.begin(outer);
    expect(inner.state.cart.items).toHaveLength(2);
    inner.state.cart.items.push({ sku: "C3", qty: 1 });
    inner.state.stock["A1"] = 4;
    expect(outer.state.cart.items).toHaveLength(2);
    await inner.commit();
    expect(outer.state.cart.items).toHaveLength(3);
    expect(outer.touched()).toEqual(["cart", "stock"]);
    expect(store.state).toEqual(shop());
    outer.state.stock["A1"]! -= 1;
    await outer.commit();
    expect(store.state.cart.items.map(({ sku }) => sku)).toEqual(["A1", "B2", "C3"]);
    expect(store.state.stock).toEqual({ A1: 3 });
  });

  test("is undone with it", async () => {
    const store = slotStore(shop());
    const outer = store.begin();
    const inner = store.begin(outer);
    inner.state.count = 5;
    await inner.commit();
    await outer.rollback();
    expect(store.state).toEqual(shop());
  });

  test("is undone without it", async () => {
    const store = slotStore(shop());
    const outer = store.begin();
    outer.state.count = 1;
    const inner = store.begin(outer);
    inner.state.count += 5;
    await inner.rollback();
    await outer.commit();
    expect(store.state.count).toBe(1);
  });

  test("its view shows what the outer one has staged in other slots", () => {
    const store = slotStore(shop());
    const outer = store.begin();
    outer.state.cart.items.length = 0;
    const inner = store.begin(outer);
    inner.state.count = 2;
    const view = inner.seal();
    expect(view).toEqual({ ...shop(), cart: { items: [] }, count: 2 });
    expect(() => (view.cart.items as unknown[]).push(1)).toThrow(TypeError);
    expect(view.cart).toBe(view.cart);
  });

  test("conflicts with a sibling that committed into the same outer one", async () => {
    const store = slotStore(shop());
    const outer = store.begin();
    outer.state.count = 1;
    const [one, two] = [store.begin(outer), store.begin(outer)];
    one.state.count += 1;
    two.state.count += 1;
    await one.commit();
    expect(two.conflicts()).toEqual(["count"]);
    expect(outer.conflicts()).toEqual([]);
  });

  test("two levels deep", async () => {
    const store = slotStore(shop());
    const outer = store.begin();
    const middle = store.begin(outer);
    const inner = store.begin(middle);
    inner.state.count += 1;
    await inner.commit();
    middle.state.count += 1;
    await middle.commit();
    outer.state.count += 1;
    await outer.commit();
    expect(store.state.count).toBe(3);
  });

  test("the outer one conflicts where the inner one has read", async () => {
    const store = slotStore(shop());
    const [outer, other] = [store.begin(), store.begin()];
    const inner = store.begin(outer);
    void inner.state.stock;
    other.state.stock["A1"] = 0;
    await other.commit();
    await inner.commit();
    expect(outer.conflicts()).toEqual(["stock"]);
  });

  test("cannot go on when the outer one is over", async () => {
    const store = slotStore(shop());
    const outer = store.begin();
    const inner = store.begin(outer);
    inner.state.count = 1;
    await outer.commit();
    expectMisuse(() => inner.state.cart, /the attempt is closed/);
    expectMisuse(() => inner.commit(), /the attempt is closed/);
    expect(store.state).toEqual(shop());
  });

  test("must be one of the same store", () => {
    const stage = slotStore(shop()).begin();
    expectMisuse(
      () => slotStore(shop()).begin(stage),
      /the parent must be an attempt of the same store/,
    );
  });
});

describe("the slots that an attempt may touch", () => {
  test("another one is refused by its name and the option", () => {
    const store = slotStore(shop());
    const stage = store.begin(undefined, ["cart"]);
    void stage.state.cart;
    expectMisuse(
      () => stage.state.stock,
      /^State: the tool used the slot 'stock', but may use only cart\. Declare it in createGuardrails: \{ locks: \{ <tool>: \["cart", "stock"\] \} \}\.$/,
    );
    expectMisuse(() => (stage.state.count = 1), /used the slot 'count'/);
    expect(Object.keys(stage.state)).toEqual(["cart", "stock", "count"]);
    expect(stage.touched()).toEqual(["cart"]);
  });

  test("none at all", () => {
    const stage = slotStore(shop()).begin(undefined, []);
    expectMisuse(() => stage.state.cart, /used the slot 'cart', but may use no slot\./);
  });

  test("are within those of the outer attempt", () => {
    const store = slotStore(shop());
    const outer = store.begin(undefined, ["cart"]);
    const inner = store.begin(outer);
    void inner.state.cart;
    expectMisuse(() => inner.state.stock, /used the slot 'stock', but may use only cart\./);
  });

  test("must exist", () => {
    expectMisuse(
      () => slotStore(shop()).begin(undefined, ["cat"]),
      /there is no slot 'cat' in the store; its slots are cart, stock, count\./,
    );
  });
});

describe("read-only slots", () => {
  const make = () => ({
    rates: { eur: [1, 2] },
    words: { bad: /x/g, bytes: new Uint8Array([1]) },
    n: 0,
  });
  const store = () => slotStore(make(), { readonly: ["rates", "words"] });

  test("are shared, whatever may be touched", async () => {
    const one = store();
    const stage = one.begin(undefined, []);
    expect(stage.state.rates).toBe(one.state.rates);
    expect(() => stage.state.rates.eur.push(3)).toThrow(TypeError);
    expectMisuse(() => (stage.state.rates = { eur: [] }), /the slot 'rates' is read-only/);
    await stage.commit();
    expect(one.state).toEqual(make());
  });

  test("what cannot be frozen in them is copied for each attempt", async () => {
    const one = store();
    const stage = one.begin();
    stage.state.words.bytes[0] = 9;
    await stage.commit();
    expect(one.begin().state.words.bytes[0]).toBe(1);
    expect(one.state).toEqual(make());
  });

  test("must exist", () => {
    expectMisuse(
      () => slotStore(make(), { readonly: ["rate" as "rates"] }),
      /slotStore, option readonly: there is no slot 'rate' in the store; its slots are rates, words, n\./,
    );
  });
});

describe("a slot with a codec", () => {
  class Counter {
    #n: number;
    constructor(n: number) {
      this.#n = n;
    }
    get n(): number {
      return this.#n;
    }
    add(): void {
      this.#n += 1;
    }
    copy(): Counter {
      return new Counter(this.#n);
    }
  }
  const codec = { clone: (value: Counter) => value.copy() };

  test("keeps the class, rolls back and commits", async () => {
    const store = slotStore({ counter: new Counter(1) }, { codecs: { counter: codec } });
    const failed = store.begin();
    failed.state.counter.add();
    await failed.rollback();
    expect(store.state.counter.n).toBe(1);
    const stage = store.begin();
    const { counter } = stage.state;
    counter.add();
    expect(stage.seal().counter.n).toBe(2);
    await stage.commit();
    counter.add();
    expect(store.state.counter.n).toBe(2);
    (store.state.counter as Counter).add();
    expect(store.begin().state.counter.n).toBe(2);
  });

  test("what it cannot clone is refused by the slot", () => {
    const store = slotStore({ counter: new Counter(1) }, { codecs: { counter: codec } });
    const stage = store.begin();
    stage.state.counter = {} as Counter;
    expect(() => stage.seal()).toThrow(
      /not plain data at \/counter: something its codec cannot clone/,
    );
  });

  test.each([
    [
      "returns the value itself",
      { clone: (value: Counter) => value },
      /the codec of 'counter' must return a copy/,
    ],
    [
      "has no clone",
      {} as typeof codec,
      /option 'codecs\.counter' must be an object with a function clone\(value\)/,
    ],
  ])("one that %s is refused", (_name, wrong, words) => {
    expectMisuse(
      () => slotStore({ counter: new Counter(1) }, { codecs: { counter: wrong } }),
      words,
    );
  });

  test("cannot be read-only", () => {
    expectMisuse(
      () =>
        slotStore(
          { counter: new Counter(1) },
          { codecs: { counter: codec }, readonly: ["counter"] },
        ),
      /the slot 'counter' has a codec, so it cannot be frozen/,
    );
  });

  test("must be for a slot that exists", () => {
    expectMisuse(
      () => slotStore({ a: 1 }, { codecs: { b: codec } as object }),
      /slotStore, option codecs: there is no slot 'b'/,
    );
  });
});
