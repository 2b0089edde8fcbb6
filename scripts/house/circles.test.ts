import { expect, test } from "vitest";
import { circlesOf } from "./circles.ts";

test.each<[string, Readonly<Record<string, readonly string[]>>, readonly (readonly string[])[]]>([
  ["a stair", { a: ["b", "c"], b: ["c"], c: [] }, []],
  ["two files", { a: ["b"], b: ["a"] }, [["a", "b"]]],
  ["a long way round", { a: ["b"], b: ["c"], c: ["d"], d: ["b"] }, [["b", "c", "d"]]],
  ["two circles that share a file", { a: ["b", "c"], b: ["a"], c: ["a"] }, [["a", "b", "c"]]],
  [
    "two circles, one below the other",
    { a: ["b"], b: ["a", "c"], c: ["d"], d: ["e"], e: ["c"] },
    [
      ["c", "d", "e"],
      ["a", "b"],
    ],
  ],
  ["a file outside is in none", { a: ["elsewhere"], b: ["a"] }, []],
])("%s", (_, imports, circles) => {
  const files = Object.entries(imports).map(([path, to]) => ({ path, imports: to }));
  expect(circlesOf(files)).toEqual(circles);
});
