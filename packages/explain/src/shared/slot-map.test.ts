import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SlotMap, SlotSet } from "./slot-map.ts";

describe("a map of slots", () => {
  test("whatever is done, it holds what a map does whose entries are set anew", () => {
    const step = fc.tuple(fc.constantFrom("set", "set", "set", "get", "take"), fc.nat(7));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const map = new SlotMap<number, number>();
        const plain = new Map<number, number>();
        for (const [index, [what, key]] of steps.entries()) {
          if (what === "set") {
            map.set(key, index);
            plain.delete(key);
            plain.set(key, index);
          } else {
            expect(map[what](key)).toBe(plain.get(key));
            if (what === "take") plain.delete(key);
          }
          expect([map.size, [...map.keys()], [...map.values()]]).toEqual([
            plain.size,
            [...plain.keys()],
            [...plain.values()],
          ]);
        }
      }),
    );
  });

  test("entries may leave while they are read", () => {
    const map = new SlotMap<number, string>();
    for (const key of [1, 2, 3]) map.set(key, `${key}`);
    const read: string[] = [];
    for (const value of map.values()) {
      read.push(value);
      map.take(Number(value) + 1);
    }
    expect(read).toEqual(["1", "3"]);
  });

  test("small collections of garbage free what has left it, after a full one too", () => {
    const collect = collector();
    const map = new SlotMap<number, object>();
    const pass = (from: number, to: number): void => {
      for (let key = from; key < to; key += 1) {
        map.set(key, { eightKilobytes: Array.from({ length: 1_024 }, () => 0.5) });
        map.take(key - 16);
        if (key % 1_000 === 0) collect("minor");
      }
    };
    pass(0, 16);
    collect("major");
    const before = process.memoryUsage().heapUsed;
    pass(16, 20_000);
    collect("minor");
    // A `Map` would keep a quarter of the 160 MB, or all.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
  });
});

test("a set of slots holds what was added and not removed, in its order", () => {
  const set = new SlotSet<string>();
  const [removeA, removeB] = ["a", "b", "c"].map((value) => set.add(value));
  removeB?.();
  removeB?.();
  expect([set.size, ...set.values()]).toEqual([2, "a", "c"]);
  set.add("a");
  removeA?.();
  expect([set.size, ...set.values()]).toEqual([2, "c", "a"]);
});

function collector(): (type: "minor" | "major") => void {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as (options: { readonly type: "minor" | "major" }) => void;
  return (type) => gc({ type });
}
