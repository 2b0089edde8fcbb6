import { explainedInWords, findingLine } from "../../testing/explained.ts";
import { describe, expect, test } from "vitest";

const writeFile = {
  type: "object",
  properties: {
    path: { type: "string" },
    content: { type: "string", maxLength: 1048576 },
    encoding: { enum: ["utf-8", "ascii", "utf-16"] },
    mode: { type: "integer", minimum: 0, maximum: 511 },
  },
  required: ["path", "content"],
  additionalProperties: false,
};

type Row = readonly [title: string, schema: object, value: unknown, ...faults: readonly string[]];

/** Written as `code pointer | expected | hint`, without absent parts. */
function explained(schema: object, value: unknown, interpreter: boolean): readonly string[] {
  const findings = explainedInWords(schema, value, interpreter) ?? [];
  return findings.map((one) => findingLine(one, one.expected, one.hint, one.message));
}

function of(schema: object): object {
  return { type: "object", properties: { a: schema } };
}

const rows: readonly Row[] = [
  [
    "the write_file call of the design",
    writeFile,
    { encoding: "uft8", mode: "rw", pth: "notes.txt" },
    "VAL-001 /content | string, at most 1048576 characters",
    'VAL-008 /encoding | one of "utf-8", "ascii", "utf-16" | use "utf-8"',
    "VAL-002 /mode | integer from 0 to 511",
    'VAL-005 /pth | only path, content, encoding, mode | rename it to "path"',
  ],
  [
    "a number in quotes",
    of({ type: "integer" }),
    { a: "5" },
    "VAL-002 /a | integer | send 5 without quotes",
  ],
  ["a float is not an integer", of({ type: "integer" }), { a: "5.5" }, "VAL-002 /a | integer"],
  [
    "a number for one of several strings",
    of({ type: "string", enum: ["utf-8"] }),
    { a: 1 },
    'VAL-002 /a | "utf-8"',
  ],
  [
    "one item where one alone is too few",
    of({ allOf: [{ type: "array", items: { type: "string" } }, { minItems: 2 }] }),
    { a: "x" },
    "VAL-002 /a | array of string",
  ],
  [
    "an unknown field that may hold what is missing, which may be anything",
    { ...of({}), required: ["a"], additionalProperties: false },
    { zebra: 1 },
    "VAL-001 /a | any value",
    "VAL-005 /zebra | only a",
  ],
  [
    "a boolean in quotes, Python style",
    of({ type: "boolean" }),
    { a: "True" },
    "VAL-002 /a | boolean | send true without quotes",
  ],
  [
    "null for an optional field",
    of({ type: "string" }),
    { a: null },
    "VAL-002 /a | string | leave it out",
  ],
  [
    "null for a required field",
    { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
    { a: null },
    "VAL-002 /a | string",
  ],
  [
    "a stringified array",
    of({ type: "array", items: { type: "string" } }),
    { a: '["x","y"]' },
    "VAL-002 /a | array of string | send the array itself, not a JSON string",
  ],
  [
    "a stringified object",
    of({ type: "object" }),
    { a: '{"x":1}' },
    "VAL-002 /a | object | send the object itself, not a JSON string",
  ],
  [
    "a lone item",
    of({ type: "array", items: { type: "string" } }),
    { a: "x" },
    "VAL-002 /a | array of string | put it in an array",
  ],
  [
    "a constant in its own list",
    of({ const: "a", enum: ["a", "b"] }),
    { a: "b" },
    'VAL-008 /a | "a"',
  ],
  ["a list of one string", of({ type: "string" }), { a: ["x"] }, 'VAL-002 /a | string | use "x"'],
  [
    "a lone item of the wrong type",
    of({ type: "array", items: { type: "string" } }),
    { a: 5 },
    "VAL-002 /a | array of string",
  ],
  ["a number for a string", of({ type: "string" }), { a: 5 }, 'VAL-002 /a | string | use "5"'],
  [
    "below a minimum",
    of({ type: "integer", minimum: 1 }),
    { a: 0 },
    "VAL-003 /a | integer at least 1",
  ],
  [
    "above an exclusive maximum",
    of({ type: "number", exclusiveMaximum: 1 }),
    { a: 1 },
    "VAL-003 /a | number below 1",
  ],
  [
    "not a multiple",
    of({ type: "number", multipleOf: 5 }),
    { a: 7 },
    "VAL-003 /a | number, a multiple of 5",
  ],
  [
    "too few fields",
    { type: "object", minProperties: 1 },
    {},
    "VAL-003 / | object, at least 1 field",
  ],
  [
    "too few items",
    of({ type: "array", minItems: 1 }),
    { a: [] },
    "VAL-006 /a | array, at least 1 item",
  ],
  [
    "too many items",
    of({ type: "array", items: { type: "integer" }, maxItems: 2 }),
    { a: [1, 2, 3] },
    "VAL-006 /a | array of integer, at most 2 items",
  ],
  [
    "a pattern",
    of({ type: "string", pattern: "^[a-z]+$" }),
    { a: "A1" },
    "VAL-007 /a | string matching ^[a-z]+$",
  ],
  [
    "a pattern beside a failed format is not shown",
    of({ type: "string", pattern: "^x", format: "email" }),
    { a: "A1" },
    'VAL-010 /a | email string such as "ana@example.com"',
  ],
  [
    "a wrong type hides all other faults of the value",
    of({ type: "string", minLength: 3, enum: ["abc"] }),
    { a: 1 },
    'VAL-002 /a | "abc"',
  ],
  [
    "a string length",
    of({ type: "string", minLength: 2, maxLength: 4 }),
    { a: "x" },
    "VAL-009 /a | string, from 2 to 4 characters",
  ],
  [
    "a format",
    of({ type: "string", format: "date-time" }),
    { a: "tomorrow" },
    'VAL-010 /a | date-time string such as "2026-01-31T09:30:00Z"',
  ],
  ["a constant", of({ const: "v1" }), { a: "V1" }, 'VAL-008 /a | "v1" | use "v1"'],
  [
    "a number of an enum, in quotes",
    of({ enum: [1, 5] }),
    { a: "5" },
    "VAL-008 /a | one of 1, 5 | use 5",
  ],
  [
    "a tie gives no hint",
    of({ enum: ["cat", "bat"] }),
    { a: "rat" },
    'VAL-008 /a | one of "cat", "bat"',
  ],
  [
    "duplicates",
    of({ type: "array", uniqueItems: true }),
    { a: [1, { b: 1 }, { b: 1 }] },
    "VAL-015 /a | items all different (items 1 and 2 are equal)",
  ],
  [
    "contains",
    of({ type: "array", contains: { type: "integer" } }),
    { a: ["x"] },
    "VAL-006 /a | array with at least 1 item that is integer",
  ],
  [
    "a dependent field",
    {
      type: "object",
      properties: { card: {}, cvc: { type: "string" } },
      dependentRequired: { card: ["cvc"] },
    },
    { card: "1" },
    "VAL-014 /cvc | string | Field 'cvc' is required when 'card' is given",
  ],
  [
    "a condition",
    { type: "object", if: { properties: { kind: { const: "a" } } }, then: { required: ["size"] } },
    { kind: "a" },
    "VAL-014 /size | any value | Field 'size' is required with the other fields as sent",
  ],
  [
    "fields that exclude each other",
    { not: { required: ["a", "b"] } },
    { a: 1, b: 2 },
    "VAL-014 / | not all of a, b | Fields exclude each other",
  ],
  ["a forbidden field", of({}), { a: 1 }],
  [
    "a field ruled out by false",
    { properties: { a: false } },
    { a: 1 },
    "VAL-005 /a | nothing here",
  ],
  [
    "a key misspelt in an open object is a hint",
    { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    { file_path: "x" },
    'VAL-001 /path | string | rename "file_path" to "path"',
  ],
  [
    "numbers sort as numbers",
    { type: "array", items: { type: "integer" } },
    Array.from({ length: 11 }, (_, index) => (index === 2 || index === 10 ? "x" : index)),
    "VAL-002 /2 | integer",
    "VAL-002 /10 | integer",
  ],
  [
    "a field with an inherited name is missing",
    { type: "object", required: ["toString", "__proto__"] },
    {},
    "VAL-001 /__proto__ | any value",
    "VAL-001 /toString | any value",
  ],
  ["OpenAPI's nullable", of({ type: "string", nullable: true }), { a: null }],
  [
    "the safe integers' limits are not shown",
    of({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 }),
    { a: "x" },
    "VAL-002 /a | integer",
  ],
  [
    "a reference",
    {
      $defs: { port: { type: "integer", minimum: 1, maximum: 65535 } },
      type: "object",
      properties: { port: { $ref: "#/$defs/port" } },
    },
    { port: "http" },
    "VAL-002 /port | integer from 1 to 65535",
  ],
];

const cases = rows.map(([title, schema, value, ...faults]) => ({ title, schema, value, faults }));

describe.each([
  ["compiled", false],
  ["interpreted", true],
])("explain, %s", (_name, interpreter) => {
  test.each(cases)("$title", ({ schema, value, faults }) => {
    expect(explained(schema, value, interpreter)).toEqual(faults);
  });
});
