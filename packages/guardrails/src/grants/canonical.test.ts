import { expect, test } from "vitest";
import { canonical } from "./canonical.ts";

test.each<[unknown, string]>([
  [{ b: 1, a: "x" }, '{"a":"x","b":1}'],
  [[1, [null, undefined, true]], "[1,[null,undefined,true]]"],
  [-0, "-0"],
  [1n, "1n"],
  ["1", '"1"'],
  [new Date(5), "Date(5)"],
  [new Map<unknown, unknown>([["a", { b: 1 }]]), 'Map("a":{"b":1})'],
  [new Set([1, "1"]), 'Set(1,"1")'],
  [
    new Map([
      ["a", 1],
      ["b", 2],
    ]),
    'Map("a":1,"b":2)',
  ],
  [[[]], "[[]]"],
  [Object.assign(Object.create(null) as object, { a: 1 }), '{"a":1}'],
])("%o is written as %s", (value, expected) => {
  expect(canonical(value)).toBe(expected);
});

test.each<[unknown, string]>([
  [() => 1, "A function cannot be granted"],
  [Symbol("a"), "A symbol cannot be granted"],
  [/a/, "An instance of a class cannot be granted"],
])("%o cannot be compared", (value, message) => {
  expect(() => canonical(value)).toThrow(new TypeError(message));
});

test("arguments may be as deep as any that a person reads, and no deeper", () => {
  const nest = (depth: number): unknown => (depth === 0 ? 1 : [nest(depth - 1)]);
  expect(canonical(nest(200))).toHaveLength(401);
  expect(() => canonical(nest(201))).toThrow("The arguments are too deep to be granted");
});
