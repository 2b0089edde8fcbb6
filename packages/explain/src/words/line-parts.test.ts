import fc from "fast-check";
import { expect, test } from "vitest";
import { decodePart, encodePart, splitList, splitOutsideQuotes } from "./line-parts.ts";

const part = fc
  .array(fc.constantFrom('"', "\\", ";", " ", "; ", "\\u003b", "\\u0022", "\\u005c", "u0022", "a"))
  .map((pieces) => pieces.join(""));

test("joined parts are split and read back, whatever they contain", () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1 }), (parts) => {
      const line = parts.map(encodePart).join("; ");
      expect(splitOutsideQuotes(line, "; ").map(decodePart)).toEqual(parts);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['use "a; b"', 'use "a; b"'],
  ["too long; send less", "too long\\u003b send less"],
  ['a 5" disk', "a 5\\u0022 disk"],
  ['string matching ^"; \\w', "string matching ^\\u0022\\u003b \\w"],
  ["\\u003b", "\\u005cu003b"],
])("%s is written as %s", (text, written) => {
  expect(encodePart(text)).toBe(written);
});

test("a JSON string stays whole, whatever quotes and backslashes it holds", () => {
  fc.assert(
    fc.property(part, (value) => {
      const parts = [`got ${JSON.stringify(value)}`, 'hint: use "a"'];
      expect(splitOutsideQuotes(parts.join("; "), "; ")).toEqual(parts);
    }),
    { numRuns: 2000 },
  );
});

test("a list is split outside strings, arrays and objects", () => {
  expect(splitList('"a, b", [1, [2, 3]], {"c": 4, "d": "]"}, e')).toEqual([
    '"a, b"',
    "[1, [2, 3]]",
    '{"c": 4, "d": "]"}',
    "e",
  ]);
  // A bracket that opens nothing keeps nothing together after it.
  expect(splitList("a], b, [c, d], e")).toEqual(["a]", "b", "[c, d]", "e"]);
});
