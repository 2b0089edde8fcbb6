import fc from "fast-check";
import { expect, test } from "vitest";
import { graphemesOf, graphemeStart } from "./graphemes.ts";

const FAMILY = "👩‍👩‍👧‍👦";

test.each([
  ["", []],
  ["ab", ["a", "b"]],
  ["a\r\nb", ["a", "\r\n", "b"]],
  [`e\u0301${FAMILY}`, ["e\u0301", FAMILY]],
])("the graphemes of %j are %j", (text, graphemes) => {
  expect(graphemesOf(text)).toEqual(graphemes);
});

test.each([
  ["abc", 2, 2],
  ["abc", 3, 0],
  ["abc", -1, 0],
  ["a\r\nb", 2, 1],
  [`ab${FAMILY}`, 7, 2],
])("in %j the unit %i is of the grapheme that begins at %i", (text, index, start) => {
  expect(graphemeStart(text, index)).toBe(start);
});

test("a grapheme begins where the ones before it end", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), fc.nat(), (text, some) => {
      const start = graphemeStart(text, some % text.length);
      expect(graphemesOf(text).join("")).toBe(text);
      expect([...graphemesOf(text.slice(0, start)), ...graphemesOf(text.slice(start))]).toEqual(
        graphemesOf(text),
      );
    }),
  );
});
