import fc from "fast-check";
import { expect, test } from "vitest";
import { changeBetween } from "./change-between.ts";

test.each([
  ["", "", undefined],
  ["abc", "abc", undefined],
  ["", "abc", { from: 0, to: 0, insert: "abc" }],
  ["abc", "", { from: 0, to: 3, insert: "" }],
  ['{"a": 1}', '{"a": 12}', { from: 7, to: 7, insert: "2" }],
  ["aaa", "aa", { from: 2, to: 3, insert: "" }],
  ["one two", "one 2 two", { from: 4, to: 4, insert: "2 " }],
])("%j becomes %j by %j", (before, after, change) => {
  expect(changeBetween(before, after)).toEqual(change);
});

test("the change turns the first string into the second", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 12 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const change = changeBetween(before, after);
      const applied =
        change === undefined
          ? before
          : before.slice(0, change.from) + change.insert + before.slice(change.to);
      expect(applied).toBe(after);
    }),
  );
});
