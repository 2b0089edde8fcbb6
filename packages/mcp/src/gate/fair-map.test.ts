import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFairMap, ownedKey } from "./fair-map.ts";

describe("a fair map", () => {
  test("of one owner keeps what was used most recently", () => {
    const map = createFairMap<number>(3);
    for (const key of ["a", "b", "c"]) map.set(key, 1);
    map.get("a");
    map.set("d", 1);
    expect(["a", "b", "c", "d"].filter((key) => map.get(key))).toEqual(["a", "c", "d"]);
  });

  test("an owner of many displaces only its own", () => {
    const map = createFairMap<number>(1_000);
    const honest = Array.from({ length: 400 }, (_, index) => ownedKey("session", `${index}`));
    for (const key of honest) map.set(key, 1);
    for (let index = 0; index < 10_000; index += 1) map.set(ownedKey(`${index}`, "inventor"), 1);
    expect(honest.filter((key) => map.get(key) === undefined)).toEqual([]);
    expect(map.get(ownedKey("9999", "inventor"))).toBe(1);
  });

  test("finds the owner in a store's key too", () => {
    const map = createFairMap<number>(2);
    map.set(JSON.stringify([ownedKey("a", "honest"), "tool"]), 1);
    for (const key of ["b", "c", "d"]) map.set(JSON.stringify([ownedKey(key, "x"), "tool"]), 1);
    expect(map.get(JSON.stringify([ownedKey("a", "honest"), "tool"]))).toBe(1);
  });

  test("a deleted entry leaves its room", () => {
    const map = createFairMap<number>(2);
    map.set("a", 1);
    map.set("b", 1);
    map.delete("a");
    map.delete("never there");
    map.set("c", 1);
    expect(["a", "b", "c"].map((key) => map.get(key))).toEqual([undefined, 1, 1]);
  });

  test("never holds more than its bound, and always what was set last", () => {
    const keys = fc
      .tuple(fc.nat(30), fc.nat(5))
      .map(([key, owner]) => ownedKey(`${key}`, `${owner}`));
    fc.assert(
      fc.property(
        fc.array(keys, { maxLength: 200 }),
        fc.integer({ min: 1, max: 40 }),
        (used, max) => {
          const map = createFairMap<number>(max);
          for (const key of used) {
            map.set(key, 1);
            expect(map.get(key)).toBe(1);
          }
          const kept = [...new Set(used)].filter((key) => map.get(key) !== undefined);
          expect(kept.length).toBeLessThanOrEqual(max);
        },
      ),
    );
  });
});
