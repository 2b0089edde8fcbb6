import { expect, test } from "vitest";
import { canonical, canonicalForm } from "./canonical.ts";

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

test.each<[string, unknown, unknown]>([
  ["a set", new Set(["mallory", 1]), ["mallory", 1]],
  [
    "a map",
    new Map<unknown, unknown>([
      ["mallory", new Set([900])],
      [1, null],
    ]),
    [
      ["mallory", [900]],
      [1, null],
    ],
  ],
  [
    "numbers that JSON does not know",
    [-0, Number.NaN, Infinity, -Infinity],
    ["-0", "NaN", "Infinity", "-Infinity"],
  ],
  [
    "a number of any size",
    [1e21, 0.1, Number("12345678901234567890")],
    [1e21, 0.1, 12_345_678_901_234_567_000],
  ],
  [
    "what is missing but named",
    { a: undefined, b: [undefined] },
    { a: "undefined", b: ["undefined"] },
  ],
  ["a bigint", 12_345_678_901_234_567_890n, "12345678901234567890"],
  ["a date", [new Date(5), new Date(Number.NaN)], ["1970-01-01T00:00:00.005Z", "NaN"]],
  ["an order of members", { b: 1, a: 2 }, { b: 1, a: 2 }],
])("%s is shown whole", (_, value, shown) => {
  expect(JSON.stringify(canonicalForm(value).shown)).toBe(JSON.stringify(shown));
});

const hidden = (on: object, name: PropertyKey, member: PropertyDescriptor): object =>
  Object.defineProperty(on, name, member);

test.each<[string, unknown]>([
  ["a symbol as a name", { [Symbol("to")]: "mallory" }],
  ["a member of a list", Object.assign([1], { amount: 900 })],
  ["a hole", Object.assign(Array<number>(3), { 0: 1, 2: 2 })],
  ["a member that is not enumerable", hidden({}, "to", { value: "mallory" })],
  ["a getter", hidden({}, "to", { enumerable: true, get: () => "mallory" })],
  ["a member of a set", Object.assign(new Set([1]), { to: "mallory" })],
  ["a date that says another day", Object.assign(new Date(5), { toJSON: () => "2030" })],
  ["a subclass of a map", new (class Ledger extends Map<string, number> {})([["a", 1]])],
  ["what is inherited", Object.create({ to: "mallory" })],
  [
    "what is inherited of an object without a prototype",
    Object.create(hidden(Object.create(null) as object, "to", { value: 1 })),
  ],
  ["a function that JSON calls", { toJSON: () => ({ to: "alice" }) }],
])("%s is not shown as if it were not there", (_, value) => {
  expect(() => canonicalForm({ value })).toThrow(TypeError);
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
