import { countCost } from "@toolcontract/case-table/cost";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hashArguments } from "./arguments-hash.ts";

const call = { path: "/srv/app/notes.txt", content: "milk, eggs", mode: 420 };

describe("hashArguments", () => {
  test.each([
    ["JSON text and its value", JSON.stringify(call), call],
    ["indented text", JSON.stringify(call, null, 2), call],
    [
      "another order of keys",
      { mode: 420, content: "milk, eggs", path: "/srv/app/notes.txt" },
      call,
    ],
    ["a bare JSON string", '"notes.txt"', "notes.txt"],
  ])("gives %s the same hash", (_, one, other) => {
    expect(hashArguments(one)).toBe(hashArguments(other));
  });

  test.each([
    ["another value", { ...call, mode: 421 }, call],
    ["a number sent as text", { ...call, mode: "420" }, call],
    ["a key moved into the value", { a: "b", c: "" }, { a: "", bc: "" }],
    ["nested instead of flat lists", [["a"], "b"], ["a", "b"]],
    ["another order of items", ["a", "b"], ["b", "a"]],
    ["no arguments and an empty text", undefined, ""],
    ["null and an empty object", null, {}],
    ["unreadable texts", '{"path": "/a', '{"path": "/b'],
    ["long texts that differ at the end", "a".repeat(400_000), `${"a".repeat(399_999)}b`],
    ["long texts of different length", "a".repeat(400_000), "a".repeat(400_001)],
    ["the key __proto__", JSON.parse('{"__proto__": {"admin": true}}'), {}],
  ])("tells apart %s", (_, one, other) => {
    expect(hashArguments(one)).not.toBe(hashArguments(other));
  });

  const nested = (levels: number, leaf: unknown): unknown => {
    let value = leaf;
    for (let level = 0; level < levels; level += 1) value = [value];
    return value;
  };
  const counted = (count: number, order: (a: number, b: number) => number): unknown =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => n)
        .toSorted(order)
        .map((n) => [`k${n}`, 1]),
    );
  const ascending = (a: number, b: number): number => a - b;
  const descending = (a: number, b: number): number => b - a;

  // Beyond a bound, calls that differ count as equal: that costs the model a word, and no time.
  test.each<[bound: string, isEqual: boolean, one: unknown, other: unknown]>([
    ["200 lists deep", false, nested(200, 1), nested(200, 2)],
    ["201 lists deep", true, nested(201, 1), nested(201, 2)],
    ["an order of 10,000 keys", true, counted(10_000, ascending), counted(10_000, descending)],
    ["an order of 10,001 keys", false, counted(10_001, ascending), counted(10_001, descending)],
    [
      "the middle of a long string",
      true,
      `${"a".repeat(200_000)}b${"a".repeat(200_000)}`,
      `${"a".repeat(200_000)}c${"a".repeat(200_000)}`,
    ],
    ["JSON text of 262,144 characters", true, `[${" ".repeat(262_142)}]`, []],
    ["JSON text of 262,145 characters", false, `[${" ".repeat(262_143)}]`, []],
  ])("bound: %s", (_, isEqual, one, other) => {
    expect(hashArguments(one) === hashArguments(other)).toBe(isEqual);
  });

  test.each<[name: string, make: (read: () => string) => unknown]>([
    [
      "items",
      (read) =>
        Array.from({ length: 1_000 }, () => ({
          get text() {
            return read();
          },
        })),
    ],
    [
      "fields",
      (read) =>
        Object.defineProperties(
          {},
          Object.fromEntries(
            Array.from({ length: 1_000 }, (_, n) => [`k${n}`, { enumerable: true, get: read }]),
          ),
        ),
    ],
  ])("reads no further after 262,144 characters of %s", (_, make) => {
    let reads = 0;
    const value = make(() => {
      reads += 1;
      return "x".repeat(10_000);
    });
    hashArguments(value);
    expect(reads).toBeGreaterThan(20);
    expect(reads).toBeLessThan(30);
  });

  test("is stable across processes and short", () => {
    expect(hashArguments(call)).toMatchInlineSnapshot(`"4491040a05f89319"`);
    expect(hashArguments({})).toMatchInlineSnapshot(`"608bd1b82fa92bb6"`);
  });

  test("hashes any JSON text like its value", () => {
    fc.assert(
      fc.property(fc.oneof(fc.object(), fc.array(fc.jsonValue())), (value) => {
        const text = JSON.stringify(value);
        expect(hashArguments(text)).toBe(hashArguments(JSON.parse(text)));
      }),
    );
  });

  test("does not collide on many near values", () => {
    const hashes = Array.from({ length: 20_000 }, (_, id) => hashArguments({ id, page: id % 7 }));
    expect(new Set(hashes).size).toBe(hashes.length);
    // Each half alone would collide once in ten such lists.
    for (const half of [0, 8]) {
      const halves = new Set(hashes.map((hash) => hash.slice(half, half + 8)));
      expect(halves.size).toBeGreaterThan(hashes.length - 3);
    }
  });

  test("never throws and always has 16 digits", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(hashArguments(value)).toMatch(/^[0-9a-f]{16}$/);
      }),
    );
  });

  const cyclic: Record<string, unknown> = {};
  cyclic["left"] = cyclic;
  cyclic["right"] = cyclic;
  const hostile: readonly (readonly [string, () => unknown])[] = [
    ["10 MB of text", () => `{"content": "${"x".repeat(10_000_000)}"}`],
    ["10 MB in one value", () => ({ content: "x".repeat(10_000_000) })],
    ["a key of 1 MB", () => ({ ["k".repeat(1_000_000)]: 1 })],
    ["100,000 items", () => Array.from({ length: 100_000 }, (_, index) => ({ index }))],
    [
      "100,000 keys",
      () => Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, n])),
    ],
    ["100,000 brackets as text", () => "[".repeat(100_000) + "]".repeat(100_000)],
    ["100,000 brackets", () => JSON.parse("[".repeat(100_000) + "]".repeat(100_000)) as unknown],
    ["a value that holds itself twice", () => cyclic],
    ["a lone surrogate", () => ({ name: "\uD83D" })],
    [
      "a getter that throws",
      () => ({
        get path() {
          throw new Error("no");
        },
      }),
    ],
    [
      "a proxy that throws",
      () =>
        new Proxy(
          {},
          {
            ownKeys: () => {
              throw new Error("no");
            },
          },
        ),
    ],
    [
      "a revoked proxy",
      () => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
      },
    ],
  ];
  test.each(hostile)("takes bounded time for %s", (_, make) => {
    const value = make();
    const cost = countCost();
    expect(hashArguments(value)).toMatch(/^[0-9a-f]{16}$/);
    expect(cost()).toBeLessThan(500);
  });
});
