import fc from "fast-check";
import { expect, test } from "vitest";
import { findJsonFault } from "./json-fault.ts";

test.each([
  ["", 0, "There is no JSON yet"],
  [" \n ", 0, "There is no JSON yet"],
  ['{"a": ', 4, "The text ends before the JSON does"],
  ['{"a": 1', 6, "The text ends before the JSON does"],
  ['{"a": "x', 6, "The string has no end, or a character that JSON wants escaped"],
  ['{"a": "x\ny"}', 6, "The string has no end, or a character that JSON wants escaped"],
  ['{"a": "\\q"}', 6, "The string has no end, or a character that JSON wants escaped"],
  ['{"a": 1 "b": 2}', 8, "A comma is missing"],
  ['["a" "b"]', 5, "A comma is missing"],
  ['{"a": 1,}', 8, "JSON has no comma before }"],
  ["[1,]", 3, "JSON has no comma before ]"],
  ['{"a": }', 6, "A value is missing after the colon"],
  ['{"a" 1}', 5, "A colon is missing after the name"],
  ["{'a': 1}", 1, 'JSON has only double quotes: "'],
  ["// c\n{}", 0, "JSON has no comments"],
  ['{"a":1} x', 8, "Nothing may follow the JSON value"],
  ['{"a":1}}', 7, "Nothing may follow the JSON value"],
  ["{a: 1}", 1, 'Unexpected "a"'],
  ['{"a": NaN}', 6, 'Unexpected "N"'],
  ['{"a": [1, 2}', 11, 'Unexpected "}"'],
  ["\u{feff}{}", 0, 'Unexpected "\u{feff}"'],
  ["\u{1f600}", 0, 'Unexpected "\u{1f600}"'],
])("%j is not JSON from %i: %s", (text, from, message) => {
  expect(findJsonFault(text)).toMatchObject({ from, message });
});

test("JSON has no fault", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(findJsonFault(text)).toBeUndefined();
    }),
  );
});

test("a fault is a place inside of the string, for any string", () => {
  const cut = fc
    .tuple(fc.json(), fc.nat(), fc.string({ maxLength: 3 }))
    .map(([json, at, inserted]) => {
      const place = at % (json.length + 1);
      return json.slice(0, place) + inserted + json.slice(place + 1);
    });
  fc.assert(
    fc.property(fc.oneof(cut, fc.string({ unit: "binary" })), (text) => {
      const fault = findJsonFault(text);
      if (fault === undefined) return void JSON.parse(text);
      expect(fault.from).toBeGreaterThanOrEqual(0);
      expect(fault.to).toBeGreaterThanOrEqual(fault.from);
      expect(fault.to).toBeLessThanOrEqual(text.length);
      // Without an error in the tree, the place would be the end.
      if (fault.message === "The text ends before the JSON does")
        expect(fault.to).toBe(text.trimEnd().length);
    }),
  );
});
