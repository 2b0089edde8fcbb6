import { expectLinearCost } from "@toolcontract/case-table/cost";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyString, jsonPiece } from "../../testing/any-string.ts";
import { findJsonFault } from "./json-fault.ts";

test.each([
  ["", 0, "There is no JSON yet"],
  [" \n ", 0, "There is no JSON yet"],
  ['{"a": ', 4, "The text ends before the JSON does"],
  ['{"a": 1', 6, "The text ends before the JSON does"],
  ['{"a": 1,\n', 7, "The text ends before the JSON does"],
  ["[[[", 2, "The text ends before the JSON does"],
  ['{"', 1, "The string has no end on its line"],
  ['{"a": "x', 6, "The string has no end on its line"],
  ['"\u{1f600}', 0, "The string has no end on its line"],
  ['{"a": "x\ny"}', 6, "The string has no end on its line"],
  ['{"a": "x\ty"}', 6, "A string has no control characters: write them as \\u0000"],
  ['{"a": "\\q"}', 6, "JSON has no such escape"],
  ['"\\u12"', 0, "JSON has no such escape"],
  ['{"a": 1 "b": 2}', 8, "A comma is missing"],
  ['{"a": 1 "b', 8, "The string has no end on its line"],
  ['["a" "b"]', 5, "A comma is missing"],
  ["[[] []]", 4, "A comma is missing"],
  ['{"a": 1 b: 2}', 8, "The name b needs double quotes"],
  ['{"a": 1,}', 8, "JSON has no comma before }"],
  ["[1,]", 3, "JSON has no comma before ]"],
  ['{"a": }', 6, "A value is missing"],
  ['{"a":, "b": 1}', 5, "A value is missing"],
  ['{"a" 1}', 5, "A colon is missing after the name"],
  ['{"a", "b": 1}', 4, "A colon is missing after the name"],
  ["{'a': 1}", 1, 'JSON has only double quotes: "'],
  ["// c\n{}", 0, "JSON has no comments"],
  ['{"a": 1 /* c */}', 8, "JSON has no comments"],
  ['{"a":1} x', 8, 'Unexpected "x"'],
  ['{"a":1}}', 7, "Nothing may follow the JSON value"],
  ["{a: 1}", 1, "The name a needs double quotes"],
  ["{, }", 1, "A value is missing"],
  ['{"a": NaN}', 6, 'Unexpected "NaN"'],
  ['{"a": tru}', 6, 'Unexpected "tru"'],
  ['{"a": 01}', 7, "A comma is missing"],
  ['{"a": .5}', 6, 'Unexpected ".5"'],
  ['{"a": 5.}', 6, "This is not a JSON number"],
  ['{"a": [1, 2}', 11, "A comma is missing"],
  ["[,]", 1, "A value is missing"],
  ["[1:2]", 2, "A comma is missing"],
  ["]", 0, "A value is missing"],
  ["\u{feff}{}", 0, 'Unexpected "\u{feff}"'],
  ["\u{a0}1", 0, 'Unexpected "\u{a0}1"'],
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

test("up to its fault, a string is the beginning of some JSON", () => {
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.string({ maxLength: 3 }))
    .map(([json, at, added]) => {
      const place = at % (json.length + 1);
      return json.slice(0, place) + added + json.slice(place + 1);
    });
  const pieces = fc.array(jsonPiece, { maxLength: 15 }).map((some) => some.join(""));
  fc.assert(
    fc.property(fc.oneof(broken, pieces, anyString), (text) => {
      const fault = findJsonFault(text);
      if (fault === undefined) return void JSON.parse(text);
      expect(text.slice(fault.from, fault.to)).toMatch(fault.message === NOTHING ? /^$/ : /^.+$/su);
      const begun = text.slice(0, fault.message === ENDS ? undefined : fault.from);
      if (begun.trim() !== "" && !/string|escape/i.test(fault.message))
        expect(findJsonFault(begun)?.message ?? ENDS).toBe(ENDS);
    }),
  );
});

const NOTHING = "There is no JSON yet";
const ENDS = "The text ends before the JSON does";

test("the time grows with the length alone", async () => {
  const shapes: readonly ((length: number) => string)[] = [
    (length) => "[".repeat(length),
    (length) => '{"a":['.repeat(length / 6),
    (length) => '"' + "\\n".repeat(length / 2),
    (length) => '"' + "x".repeat(length),
    (length) => " ".repeat(length) + "x",
    (length) => "[" + " ,".repeat(length / 2),
    (length) => "[" + "1,".repeat(length / 2),
    (length) => "-".repeat(length),
    (length) => "[" + "1".repeat(length),
  ];
  for (const shape of shapes)
    await expectLinearCost((length) => {
      const text = shape(length);
      return () => findJsonFault(text);
    }, 10_000);
});
