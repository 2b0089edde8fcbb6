import { describe, expect, test } from "vitest";
import type { SchemaObject } from "../../shared/index.ts";
import { indexSchema } from "../document/index.ts";
import { writeExpectation } from "../../words/index.ts";
import { type ExpectationOptions, brokenLimit, expectationOf } from "./expectation-of.ts";

type Row = [schema: object, words: string, options?: ExpectationOptions];

const text = { type: "string" };
const number = { type: "number" };

function variant(type: string): object {
  return {
    type: "object",
    properties: { type: { const: type }, x: text },
    required: ["type", "x"],
  };
}

function union(...types: readonly string[]): object {
  return { oneOf: types.map(variant) };
}

const rows: readonly Row[] = [
  [{ type: "string", format: "uuid", minLength: 1 }, "uuid string"],
  [{ type: "string", format: "uuid", maxLength: 36 }, "uuid string, at most 36 characters"],
  [
    { type: "string", format: "x-unknown", minLength: 1 },
    "string in x-unknown format, at least 1 character",
  ],
  [{ type: "string", format: "starts_with" }, "string"],
  [
    { type: "array", prefixItems: [number, text], items: false, minItems: 2 },
    "array [number, string]",
  ],
  [{ type: "array", prefixItems: [text], items: number }, "array [string, ...number]"],
  [
    { type: "array", prefixItems: [number, number], minItems: 1 },
    "array [number, number], at least 1 item",
  ],
  [
    { type: "array", items: { anyOf: [text, number] }, minItems: 1 },
    "array of (string or number), at least 1 item",
  ],
  [{ type: "array", items: { anyOf: [text, number] } }, "array of string or number"],
  [
    { type: "object", additionalProperties: { type: "number", minimum: 0 } },
    "object of number at least 0",
  ],
  [{ type: "object", additionalProperties: {} }, "object"],
  [{ type: "object", properties: { a: text }, additionalProperties: number }, "object with a"],
  [union("a", "b"), 'object with type "a", x or object with type "b", x'],
  [union("a", "b", "c", "d", "e"), 'object with type one of "a", "b", "c", "d", "e"'],
  [
    { anyOf: ["a", "b", "c", "d", "e", "f"].map((name) => ({ type: "object", required: [name] })) },
    "object with a or object with b or object with c or 3 others",
  ],
  [
    {
      allOf: [
        { type: "object", required: ["a"] },
        { type: "object", required: ["b", "c"] },
      ],
    },
    "object with a, b, c",
  ],
  [
    { type: "object", required: ["and", "plain", "Straße & Hausnummer", "a,b"] },
    'object with "and", plain, "Straße & Hausnummer", "a,b"',
  ],
  [{ type: "integer", minimum: 1 }, "integer at least 1"],
  [{ type: "integer", maximum: 9 }, "integer at most 9"],
  [{ type: "integer", minimum: 1, maximum: 9 }, "integer from 1 to 9"],
  [{ type: "number", minimum: 3, maximum: 3 }, "number 3"],
  [{ type: "number", exclusiveMinimum: 0 }, "number above 0"],
  [{ type: "number", exclusiveMaximum: 1 }, "number below 1"],
  [{ type: "number", exclusiveMinimum: 0, maximum: 1 }, "number above 0 and at most 1"],
  [{ type: "number", minimum: 0, exclusiveMaximum: 1 }, "number at least 0 and below 1"],
  [{ type: "number", minimum: 0, exclusiveMinimum: true }, "number above 0"],
  [{ type: "number", maximum: 1, exclusiveMaximum: true }, "number below 1"],
  [{ type: "integer", multipleOf: 5 }, "integer, a multiple of 5"],
  [{ type: "integer", minimum: 5, multipleOf: 5 }, "integer at least 5, a multiple of 5"],
  [
    { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    "integer",
  ],
  [
    { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    "integer at most 9007199254740991",
    { broken: "max" },
  ],
  [
    { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    "integer at least -9007199254740991",
    { broken: "min" },
  ],
  [{ type: "integer", format: "int32" }, "integer"],
  [{ type: "integer", format: "int32" }, "integer at least -2147483648", { broken: "min" }],
  [{ type: "integer", format: "int32" }, "integer at most 2147483647", { broken: "max" }],
  [{ type: "string", minLength: 0, maxLength: 5 }, "string, at most 5 characters"],
  [{ type: "string", minLength: 1, maxLength: 1 }, "string, 1 character"],
  [{ type: "string", minLength: 2, maxLength: 2 }, "string, 2 characters"],
  [{ type: "string", minLength: 11 }, "string, at least 11 characters"],
  [{ type: "string", pattern: "^a" }, "string"],
  [{ type: "string", pattern: "^a" }, "string matching ^a", { withPattern: true }],
  [
    { type: "string", pattern: "^a", format: "email" },
    'email string such as "ana@example.com" matching ^a',
    { withPattern: true },
  ],
  [
    { type: "string", pattern: "^a", format: "email" },
    'email string such as "ana@example.com"',
    { withPattern: "alone" },
  ],
  [{ type: "string", pattern: "^a" }, "string matching ^a", { withPattern: "alone" }],
  [
    { type: "string", pattern: "^a", minLength: 2 },
    "string, at least 2 characters matching ^a",
    { withPattern: true },
  ],
  [
    { type: "string", minLength: 3, allOf: [{ pattern: "^a" }, { pattern: "z$" }] },
    "string, at least 3 characters, matching ^a and matching z$",
    { withPattern: true },
  ],
  [
    {
      type: "string",
      pattern: "^a",
      allOf: [{ pattern: "b" }, { pattern: "z$", minLength: 3, maxLength: 9 }],
    },
    "string, from 3 to 9 characters, matching ^a and matching b and matching z$",
    { withPattern: true },
  ],
  [
    { minLength: 3, allOf: [{ allOf: [{ pattern: "^a" }, { pattern: "z$" }] }] },
    "string, at least 3 characters, matching ^a and matching z$",
    { withPattern: true },
  ],
  [
    {
      type: "integer",
      minimum: 1,
      multipleOf: 2,
      allOf: [{ multipleOf: 3 }, { multipleOf: 5, maximum: 90 }],
    },
    "integer from 1 to 90, a multiple of 2 and a multiple of 3 and a multiple of 5",
  ],
  [{ type: "string", format: "password" }, "string"],
  [{ type: "string", format: "regex" }, "regular expression string"],
  [{ type: "string", format: "date" }, 'date string such as "2026-01-31"'],
  [{ type: "string", format: "time" }, 'time string such as "09:30:00Z"'],
  [{ type: "string", format: "email", minLength: 1 }, 'email string such as "ana@example.com"'],
  [
    { type: "string", format: "email", minLength: 1, maxLength: 9 },
    'email string such as "ana@example.com", from 1 to 9 characters',
  ],
  [{ type: "string", format: "constructor" }, "string in constructor format"],
  [{ type: "boolean" }, "boolean"],
  [{ type: ["string", "null"] }, "string or null"],
  [{ type: ["string", "integer"], minimum: 1 }, "string or integer at least 1"],
  [{ const: 5 }, "5"],
  [{ enum: ["a"] }, '"a"'],
  [{ enum: ["a", "b"] }, 'one of "a", "b"'],
  [{ type: "string", enum: ["a", null] }, 'one of "a", null'],
  [{ not: {} }, "nothing"],
  [{ not: true }, "nothing"],
  [{ not: text }, "any value"],
  [{}, "any value"],
  [{ anyOf: [text, { not: {} }] }, "string"],
  [{ anyOf: [{ not: {} }] }, "nothing"],
  [{ oneOf: [{ const: 1 }, { enum: [2, 3] }] }, "one of 1, 2, 3"],
  [{ anyOf: [text, text, number] }, "string or number"],
  [{ anyOf: [{ type: "string", maxLength: 3 }, number] }, "number or string, at most 3 characters"],
  [{ anyOf: [{ type: "array", maxItems: 3 }, number] }, "number or array, at most 3 items"],
  [
    { anyOf: [text, number, { type: "boolean" }, { type: "null" }] },
    "string or number or boolean or null",
  ],
  [
    { anyOf: [text, number, { type: "boolean" }, { type: "null" }, { type: "array" }] },
    "string or number or boolean or 2 others",
  ],
  [{ type: "array" }, "array"],
  [{ type: "array", minItems: 1, maxItems: 3 }, "array, from 1 to 3 items"],
  [{ type: "array", items: text, maxItems: 1 }, "array of string, at most 1 item"],
  [{ type: "array", items: [text], additionalItems: number }, "array [string, ...number]"],
  [
    { type: "array", items: [text], additionalItems: false, maxItems: 5 },
    "array [string], at most 1 item",
  ],
  [
    { type: "array", prefixItems: [text, text], items: false, maxItems: 1 },
    "array [string, string], at most 1 item",
  ],
  [{ type: "array", prefixItems: [], items: text }, "array of string"],
  [{ type: "object" }, "object"],
  [{ type: "object", required: ["a"], properties: { a: { const: 1 } } }, "object with a 1"],
  [{ type: "object", required: ["a"], properties: { a: { enum: [1, 2] } } }, "object with a"],
  [{ type: "object", required: ["a"], properties: { a: { const: { b: 1 } } } }, "object with a"],
  [{ type: "object", required: ["toString"], properties: {} }, "object with toString"],
  [{ type: "object", properties: {}, additionalProperties: text }, "object of string"],
  [{ required: ["a"] }, "object with a"],
  [{ minProperties: 1 }, "object"],
  [{ minItems: 2 }, "array, at least 2 items"],
  [{ items: text }, "array of string"],
  [{ maxLength: 3 }, "string, at most 3 characters"],
  [{ format: "date" }, 'date string such as "2026-01-31"'],
  [{ minimum: 3 }, "number at least 3"],
  [{ multipleOf: 3 }, "number, a multiple of 3"],
  [{ allOf: [text, { maxLength: 3 }] }, "string, at most 3 characters"],
  [{ allOf: [{}, number] }, "number"],
  [{ allOf: [{ type: "object" }, { type: "object" }] }, "object"],
  [
    {
      type: "array",
      items: { type: "array", items: { type: "array", items: { type: "array", items: text } } },
    },
    "array of array of array",
  ],
  [{ $ref: "#/$defs/a", $defs: { a: text } }, "string"],
  [{ $ref: "#/$defs/none", type: "string" }, "string"],
];

describe("what a schema accepts, in words", () => {
  test.each<Row>(rows)("%o: %s", (schema, words, options) => {
    const index = indexSchema(schema, "2020-12");
    expect(writeExpectation(expectationOf(index, schema, index.root.base, options))).toBe(words);
  });

  test("of many values, fields or branches, the first are written", () => {
    const names = Array.from({ length: 51 }, (_, index) => `v${index}`);
    const first = names.slice(0, 50);
    const quoted = first.map((name) => `"${name}"`).join(", ");
    const wordsOf = (schema: object): string => {
      const index = indexSchema(schema, "2020-12");
      return writeExpectation(expectationOf(index, schema, index.root.base));
    };
    expect(wordsOf({ enum: first })).toBe(`one of ${quoted}`);
    expect(wordsOf({ enum: names })).toBe(`one of ${quoted} and 1 more`);
    expect(wordsOf({ required: first })).toBe(`object with ${first.join(", ")}`);
    expect(wordsOf({ required: names })).toBe(`object with ${first.join(", ")} and 1 more`);
  });

  test("references that lead to each other without end are any value", () => {
    const schema = {
      $ref: "#/$defs/a",
      $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } },
    };
    const index = indexSchema(schema, "2020-12");
    expect(writeExpectation(expectationOf(index, schema, index.root.base))).toBe("any value");
  });

  test("variants behind references are listed by their tag", () => {
    const names = ["a", "b", "c", "d", "e"];
    const schema = {
      oneOf: names.map((name) => ({ $ref: `#/$defs/${name}` })),
      $defs: Object.fromEntries(names.map((name) => [name, variant(name)])),
    };
    const index = indexSchema(schema, "2020-12");
    expect(writeExpectation(expectationOf(index, schema, index.root.base))).toBe(
      'object with type one of "a", "b", "c", "d", "e"',
    );
  });
});

test.each<[schema: SchemaObject, value: number, side: ReturnType<typeof brokenLimit>]>([
  [{ minimum: 1 }, 0, "min"],
  [{ minimum: 1 }, 1, undefined],
  [{ exclusiveMinimum: 1 }, 1, "min"],
  [{ exclusiveMinimum: 1 }, 2, undefined],
  [{ minimum: 1, exclusiveMinimum: true }, 1, "min"],
  [{ maximum: 1 }, 2, "max"],
  [{ maximum: 1 }, 1, undefined],
  [{ exclusiveMaximum: 1 }, 1, "max"],
  [{ exclusiveMaximum: 1 }, 0, undefined],
  [{ maximum: 1, exclusiveMaximum: true }, 1, "max"],
  [{ minimum: "a", maximum: "b" }, 0, undefined],
])("of %j, %d breaks %s", (schema, value, side) => {
  expect(brokenLimit(schema, value)).toBe(side);
});
