import fc from "fast-check";
import { expect, test } from "vitest";
import { keyOf } from "./key-of.ts";

test("a key is short, and the same for the same text", () => {
  expect(keyOf("hello")).toBe(keyOf(["h", "ello"].join("")));
  expect(keyOf("x".repeat(1_000_000))).toMatch(/^1000000-[\da-z]{1,11}$/);
});

test("texts that are almost alike have different keys", () => {
  const texts = Array.from({ length: 20_000 }, (_, index) => `{"id": ${index}}`.padEnd(20));
  expect(new Set(texts.map(keyOf)).size).toBe(texts.length);
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      expect(keyOf(one) === keyOf(other)).toBe(one === other);
    }),
  );
});
