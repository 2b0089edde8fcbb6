import { describe, expect, test } from "vitest";
import { freezePlainData, readOnlyView, thaw } from "./copy-plain-data.ts";
import { UncopyableStateError } from "./uncopyable-state-error.ts";

class Cart {
  items = [1];
}

class Vault {
  #secret = 1;
  open(): number {
    return this.#secret;
  }
}

class Bag extends Map<string, number> {}

class HttpError extends Error {}

const cycle: { name: string; self?: unknown } = { name: "a" };
cycle.self = cycle;

const bytes = new Uint8Array([1, 2, 3, 4]);

/** Plain data of every kind. */
const KINDS: readonly (readonly [kind: string, make: () => unknown])[] = [
  ["a string", () => "text"],
  ["a number that JSON has not", () => [-0]],
  ["null and undefined", () => ({ a: null, b: undefined })],
  ["a bigint", () => 12n],
  ["nested objects and arrays", () => ({ a: { b: [1, { c: [] }] } })],
  ["an array with holes", () => [1, , 3]], // oxlint-disable-line no-sparse-arrays -- it is what is tested
  ["keys in an order of their own", () => ({ b: 1, a: 2, 3: 4 })],
  ["a key that is called __proto__", () => JSON.parse('{"__proto__":{"a":1},"b":2}') as unknown],
  ["an object without a prototype", () => Object.assign(Object.create(null) as object, { a: [1] })],
  ["a frozen object", () => Object.freeze({ a: Object.freeze([1]) })],
  ["a Map", () => new Map([["ann", { age: 1 }]])],
  ["a Map with objects as keys", () => new Map([[{ id: 1 }, [1]]])],
  ["a Set", () => new Set(["a", { b: 1 }])],
  ["a Date", () => new Date(1_700_000_000_000)],
  ["a regular expression", () => /a(b)/giu],
  ["an ArrayBuffer", () => new Uint8Array([1, 2]).buffer],
  ["a view of a part of a buffer", () => new Uint8Array(bytes.buffer, 1, 2)],
  ["floats", () => new Float64Array([1.5, NaN])],
  ["big integers", () => new BigInt64Array([1n, -1n])],
  ["a DataView", () => new DataView(bytes.buffer.slice(0), 1, 2)],
  [
    "an error",
    () => Object.assign(new TypeError("no", { cause: { a: 1 } }), { code: "E_NO", data: [1] }),
  ],
  ["several errors", () => new AggregateError([new RangeError("a")], "all")],
];

const REFUSED: readonly (readonly [found: string, path: string, value: unknown])[] = [
  ["function", "/cart", () => undefined],
  ["symbol", "/cart/a", { a: Symbol("s") }],
  ["Cart", "/cart/a/b/1", { a: { b: [0, new Cart()] } }],
  ["Vault", "/cart/0", [new Vault()]],
  ["Bag", "/cart", new Bag()],
  ["HttpError", "/cart/last", { last: new HttpError("no") }],
  ["Promise", "/cart/later", { later: Promise.resolve(1) }],
  ["WeakMap", "/cart", new WeakMap()],
  ["Number", "/cart", Object(1)],
  ["SharedArrayBuffer", "/cart", new Uint8Array(new SharedArrayBuffer(1))],
  ["object with a symbol key", "/cart/a", { a: { [Symbol("s")]: 1 } }],
  [
    "resizable ArrayBuffer",
    "/cart/a",
    { a: Reflect.construct(ArrayBuffer, [2, { maxByteLength: 4 }]) as unknown },
  ],
  [
    "object with a symbol key",
    "/cart/a",
    { a: Object.assign(new Error("no"), { [Symbol("s")]: 1 }) },
  ],
  ["accessor", "/cart/total", { get total() { throw new Error("a getter ran"); } }], // oxfmt-ignore
  ["property that is not enumerable", "/cart/a", Object.defineProperty({}, "a", { value: 1 })],
  ["array with properties of its own", "/cart", Object.assign([1], { total: 1 })],
  ["Map with properties of its own", "/cart", Object.assign(new Map(), { total: 1 })],
  ["object with a prototype of its own", "/cart", Object.create({ constructor: "Cart" })],
  ["function", "/cart/ann/run", new Map([["ann", { run() {} }]])],
  ["function", "/cart/1", new Map<unknown, unknown>([[1, 1], [{}, () => 1]])], // oxfmt-ignore
  ["function", "/cart/1/a", new Set([1, { a: () => 1 }])],
  ["function", "/cart/a~1b/~0", { "a/b": { "~": () => 1 } }],
  ["an object that cannot be read", "/cart/a", { a: revoked() }],
  ["an object that cannot be read", "/cart", Object.create(Map.prototype)],
  ["nested more than 1000 deep", `/cart${"/n".repeat(97)}/…`, nested(1_002)],
];

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function nested(depth: number): object {
  return depth === 0 ? {} : { n: nested(depth - 1) };
}

describe("plain data", () => {
  test.each(KINDS)("%s is copied in and out, and nothing is shared", (_kind, make) => {
    const value = make();
    const frozen = freezePlainData(value, "slot");
    const copy = thaw(frozen, "slot");
    expect(frozen.value).toEqual(make());
    expect(copy).toEqual(make());
    expect(sharedObjects(value, frozen.value)).toEqual([]);
    expect(sharedObjects(frozen.value, copy)).toEqual([]);
  });

  test.each(REFUSED)("%s at %s is refused by its name and place", (found, path, value) => {
    expect(() => freezePlainData(value, "cart")).toThrow(
      expect.objectContaining({
        name: "UncopyableStateError",
        slot: "cart",
        path: expect.stringMatching(/^\/cart/) as string,
        message: expect.stringContaining(`not plain data at ${path}: ${found}.`) as string,
      }) as UncopyableStateError,
    );
  });

  test("aliases and cycles stay what they are", () => {
    const one = { n: 1 };
    const both = {
      a: one,
      b: [one],
      cycle,
      map: new Map([[one, one]]),
      bytes,
      again: bytes.subarray(1),
    };
    const copy = thaw(freezePlainData(both, "slot"), "slot") as typeof both;
    expect(copy.a).toBe(copy.b[0]);
    expect(copy.map.get(copy.a)).toBe(copy.a);
    expect(copy.cycle.self).toBe(copy.cycle);
    expect(copy.again.buffer).toBe(copy.bytes.buffer);
    expect(copy.a).not.toBe(one);
  });

  test("an error keeps its stack and what is hidden in it", () => {
    const error = new TypeError("no", { cause: new Error("why") });
    const copy = thaw(freezePlainData(error, "slot"), "slot") as TypeError;
    expect(copy).toBeInstanceOf(TypeError);
    expect(copy.stack).toBe(error.stack);
    expect(copy.cause).toEqual(error.cause);
    expect(Object.keys(copy)).toEqual([]);
  });

  test("a regular expression keeps where it stopped", () => {
    const expression = /a/g;
    expression.test("aaa");
    expect((thaw(freezePlainData(expression, "slot"), "slot") as RegExp).lastIndex).toBe(1);
  });
});

describe("what is frozen", () => {
  const make = () => ({
    list: [{ a: 1 }],
    map: new Map([["a", { b: 1 }]]),
    set: new Set([1]),
    date: new Date(0),
    error: new Error("no"),
  });
  const WRITES: readonly (readonly [string, (view: ReturnType<typeof make>) => unknown])[] = [
    ["a new key", (view) => Object.assign(view, { more: 1 })],
    ["push", (view) => view.list.push({ a: 2 })],
    ["pop", (view) => view.list.pop()],
    ["an element's field", (view) => ((view.list[0] as { a: number }).a = 2)],
    ["Map.set", (view) => view.map.set("b", { b: 2 })],
    ["Map.delete", (view) => view.map.delete("a")],
    ["Map.clear", (view) => view.map.clear()],
    ["a field of a Map's value", (view) => ((view.map.get("a") as { b: number }).b = 2)],
    ["Set.add", (view) => view.set.add(2)],
    ["Set.delete", (view) => view.set.delete(1)],
    ["Set.clear", (view) => view.set.clear()],
    ["Date.setTime", (view) => view.date.setTime(1)],
    ["Date.setUTCFullYear", (view) => view.date.setUTCFullYear(1)],
    ["an error's message", (view) => (view.error.message = "yes")],
  ];

  test.each(WRITES)("%s throws, and changes nothing", (_name, write) => {
    const { value } = freezePlainData(make(), "slot");
    expect(() => write(value as ReturnType<typeof make>)).toThrow(
      /read-only|not extensible|read only|Cannot delete/,
    );
    expect(value).toEqual(make());
  });

  test("is read like any other", () => {
    const { value } = freezePlainData(make(), "slot");
    const view = value as ReturnType<typeof make>;
    expect([...view.map.keys(), ...view.set, view.date.getTime()]).toEqual(["a", 1, 0]);
    expect(structuredClone(view)).toEqual(make());
  });

  test("bytes and regular expressions cannot be frozen: each reader has a copy", () => {
    const frozen = freezePlainData({ bytes, words: /a/g }, "slot");
    const view = readOnlyView(frozen, "slot") as { bytes: Uint8Array; words: RegExp };
    view.bytes[0] = 9;
    expect("banana".replaceAll(view.words, "")).toBe("bnn");
    expect(readOnlyView(frozen, "slot")).toEqual({ bytes, words: /a/g });
  });
});

function objectsIn(value: unknown, found = new Set<object>()): Set<object> {
  if (typeof value !== "object" || value === null || found.has(value)) return found;
  found.add(value);
  if (ArrayBuffer.isView(value)) return found.add(value.buffer);
  if (value instanceof Map) for (const pair of value) for (const one of pair) objectsIn(one, found);
  if (value instanceof Set) for (const one of value) objectsIn(one, found);
  for (const key of Object.getOwnPropertyNames(value)) objectsIn(value[key as never], found);
  return found;
}

function sharedObjects(a: unknown, b: unknown): readonly object[] {
  const others = objectsIn(b);
  return [...objectsIn(a)].filter((one) => others.has(one));
}
