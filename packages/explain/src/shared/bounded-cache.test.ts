import fc from "fast-check";
import { expect, test } from "vitest";
import { createRecentMap, remembered } from "./bounded-cache.ts";

function filled(max: number, keys: string): ReturnType<typeof createRecentMap<string, string>> {
  const map = createRecentMap<string, string>(max);
  for (const key of keys) map.set(key, key);
  return map;
}

test.each([
  ["the oldest goes if nothing was used", 2, "abc", "", "bc"],
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

test("it holds the latest keys, and never more than its limit", () => {
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

test("whatever is done, it holds what a list in the order of use holds", () => {
  const step = fc.tuple(fc.constantFrom("set", "set", "set", "get", "take"), fc.nat(7));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (steps, max) => {
      const map = createRecentMap<number, number>(max);
      let used: number[] = [];
      for (const [what, key] of steps) {
        const known = used.includes(key);
        if (what === "set") map.set(key, key);
        else expect(map[what](key)).toBe(known ? key : undefined);
        used = used.filter((other) => other !== key);
        if (what === "set" || (what === "get" && known)) used.push(key);
        used = used.slice(-max);
        expect([...map.values()]).toEqual(used);
      }
    }),
  );
});

test("a result is computed once per key, even if it is undefined", () => {
  const asked: string[] = [];
  const lengthOf = remembered((name) => {
    asked.push(name);
    return name === "none" ? undefined : name.length;
  });
  expect([lengthOf("path"), lengthOf("path"), lengthOf("none"), lengthOf("none")]).toEqual([
    4,
    4,
    undefined,
    undefined,
  ]);
  expect(asked).toEqual(["path", "none"]);
});

test("long strings are not cached, and the cache stays bounded", () => {
  let asked = 0;
  const count = remembered(() => (asked += 1));
  const long = "a".repeat(65);
  count(long);
  count(long);
  expect(asked).toBe(2);
  for (let index = 0; index < 10_000; index += 1) count(`name ${index}`);
  expect(asked).toBe(10_002);
  count("name 9999");
  expect(asked).toBe(10_002);
  count("name 1");
  expect(asked).toBe(10_003);
});
