import { describe, expect, test } from "vitest";
import { nodeExpect } from "./index.ts";

describe("the expectations for node:test", () => {
  const rows: readonly (readonly [string, () => void, () => void])[] = [
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
    ["toContain", () => nodeExpect("abc").toContain("b"), () => nodeExpect("abc").toContain("d")],
    [
      "not.toContain",
      () => nodeExpect(["abc"]).not.toContain("b"),
      () => nodeExpect("abc").not.toContain("b"),
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
    ],
  ];

  test.each(rows)("%s passes and fails", (_, passes, fails) => {
    expect(passes).not.toThrow();
    expect(fails).toThrow();
  });
});
