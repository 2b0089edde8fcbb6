import fc from "fast-check";
import { expect, test } from "vitest";
import { createRecentMap } from "./recent-map.ts";

function filled(max: number, keys: string): ReturnType<typeof createRecentMap<string, string>> {
  const map = createRecentMap<string, string>(max);
  for (const key of keys) map.set(key, key);
  return map;
}

test.each([
  ["the oldest goes where nothing was used", 2, "abc", "", "bc"],
  ["what was found stays", 2, "ab", "a", "ac"],
  ["what was set again stays", 2, "aba", "", "ac"],
])("%s", (_, max, keys, used, left) => {
  const map = filled(max, keys);
  for (const key of used) map.get(key);
  map.set("c", "c");
  expect(["a", "b", "c"].filter((key) => map.take(key) !== undefined)).toEqual(left.split(""));
});

test("an entry is taken once", () => {
  const map = filled(2, "a");
  expect([map.take("a"), map.take("a"), map.get("a"), map.size]).toEqual([
    "a",
    undefined,
    undefined,
    0,
  ]);
});

test("it holds the latest keys, and never more than it may", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9)), fc.integer({ min: 1, max: 5 }), (keys, max) => {
      const map = createRecentMap<number, number>(max);
      for (const key of keys) map.set(key, key);
      const latest = [...new Set(keys.toReversed())].slice(0, max);
      expect(map.size).toBe(latest.length);
      for (const key of latest) expect(map.get(key)).toBe(key);
    }),
  );
});
