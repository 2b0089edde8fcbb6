import { describe, expect, test } from "vitest";
import { nodeExpect } from "./index.ts";

describe("the expectations for node:test", () => {
  const rows: readonly (readonly [
    name: string,
    passes: () => void,
    fails: () => void,
    message?: string,
  ])[] = [
    ["toBe", () => nodeExpect(1).toBe(1), () => nodeExpect(1).toBe("1")],
    [
      "toEqual, whatever is undefined",
      () => nodeExpect({ a: [1], b: undefined }).toEqual({ a: [1] }),
      () => nodeExpect({ a: [1, 2] }).toEqual({ a: [1] }),
    ],
    [
      "a list with more",
      () => nodeExpect(["a", "b"]).toEqual(nodeExpect.arrayContaining(["b"])),
      () => nodeExpect(["a"]).toEqual(nodeExpect.arrayContaining(["b"])),
    ],
    [
      "toMatchObject",
      () => nodeExpect({ a: { b: 1, c: 2 } }).toMatchObject({ a: { b: 1 } }),
      () => nodeExpect({ a: { b: 1 } }).toMatchObject({ a: { b: 2 } }),
    ],
    [
      "toContain",
      () => nodeExpect("abc").toContain("b"),
      () => nodeExpect("abc").toContain("d"),
      "abc does not contain d",
    ],
    [
      "toContain in a list",
      () => nodeExpect(["abc"]).toContain("abc"),
      () => nodeExpect(["abc"]).toContain("b"),
      "abc does not contain b",
    ],
    [
      "toContain in neither",
      () => nodeExpect({}).not.toContain("b"),
      () => nodeExpect(7).toContain("7"),
      "7 does not contain 7",
    ],
    [
      "not.toContain",
      () => nodeExpect(["abc"]).not.toContain("b"),
      () => nodeExpect("abc").not.toContain("b"),
      "abc contains b",
    ],
    ["toMatch", () => nodeExpect("abc").toMatch(/^a/), () => nodeExpect("abc").toMatch(/^b/)],
    [
      "toBeUndefined",
      () => nodeExpect(undefined).toBeUndefined(),
      () => nodeExpect(null).toBeUndefined(),
    ],
    [
      "toBeLessThanOrEqual",
      () => nodeExpect(1).toBeLessThanOrEqual(1),
      () => nodeExpect(2).toBeLessThanOrEqual(1),
      "2 > 1",
    ],
    [
      "toMatchObject in lists",
      () => nodeExpect([{ a: 1, b: 2 }]).toMatchObject([{ a: 1 }]),
      () => nodeExpect([{ a: 1 }, { a: 1 }]).toMatchObject([{ a: 1 }]),
    ],
    [
      "toMatchObject, whatever is undefined",
      () => nodeExpect({ a: 1 }).toMatchObject({ a: 1, b: undefined }),
      () => nodeExpect({ a: 1 }).toMatchObject({ a: 1, b: null }),
    ],
    [
      "toMatchObject of a value without members",
      () => nodeExpect(1).toMatchObject(1 as never),
      () => nodeExpect(null).toMatchObject({}),
    ],
    [
      "toEqual, whatever the prototype is",
      () => nodeExpect(Object.create(null)).toEqual({}),
      () => nodeExpect([]).toEqual({}),
    ],
  ];

  test.each(rows)("%s passes and fails", (_, passes, fails, message = "") => {
    expect(passes).not.toThrow();
    expect(fails).toThrow(message);
  });
});
