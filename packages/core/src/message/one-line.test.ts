import fc from "fast-check";
import { expect, test } from "vitest";
import { clip, oneLine } from "./one-line.ts";

test.each([
  ["abc", 3, "abc"],
  ["abcdefghijkl", 10, "abcdefg..."],
  ['"abcdefghijkl"', 12, '"abcdefg..."'],
  ["abcdef👩‍👩‍👧‍👦xyz", 15, "abcdef..."],
  ["abcdefe\u0301\u0301xyz", 10, "abcdef..."],
])("%s within %i units is %s", (text, max, cut) => {
  expect(clip(text, max)).toBe(cut);
});

test("control, format and line-breaking characters and lone surrogates are escaped once", () => {
  const line = oneLine("a\n\r\t\0\u2028\u202e\ud800\u0085z", 99);
  expect(line).toBe("a\\n\\r\\t\\u0000\\u2028\\u202e\\ud800\\u0085z");
  expect(oneLine(line, 99)).toBe(line);
});

test("any text becomes one well-formed line within the limit", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 8, max: 40 }), (text, max) => {
      const line = oneLine(text, max);
      expect(line.length).toBeLessThanOrEqual(max);
      expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u);
    }),
  );
});
