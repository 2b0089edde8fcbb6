import fc from "fast-check";
import { expect, test } from "vitest";

import { parseNestedJson } from "./unwrap-strings.ts";

test.each<[string, unknown]>([
  ['["a","b"]', ["a", "b"]],
  [' {"path":"a.txt"}\n', { path: "a.txt" }],
  ["[]", []],
  ['"[1]"', undefined],
  ["null", undefined],
  ["5", undefined],
  ["", undefined],
  ["[1, 2", undefined],
  ["[1,]", undefined],
  ["[x] done", undefined],
  ['{}{"a":1}', { a: 1 }],
  ['{"a":1}\n{"a":1}', { a: 1 }],
  ['{"a":1}{"a":2}', undefined],
  ['{}{"a":1,}', undefined],
  [`${"[".repeat(100)}${"]".repeat(100)}`, expect.any(Array)],
  [`${"[".repeat(101)}${"]".repeat(101)}`, undefined],
  [`["${"x".repeat(262_144)}"]`, undefined],
])("parses the object or array in a string, within limits: %#", (text, expected) => {
  expect(parseNestedJson(text)).toEqual(expected);
});

test("keeps __proto__ as data", () => {
  const value = parseNestedJson('{"__proto__":{"admin":true}}');
  expect(Object.keys(value ?? {})).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

test("never throws", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json()), (text) => {
      expect(["object", "undefined"]).toContain(typeof parseNestedJson(text));
    }),
  );
});
