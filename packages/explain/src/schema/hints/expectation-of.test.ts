import { describe, expect, test } from "vitest";
import { indexSchema } from "../document/index.ts";
import { writeExpectation } from "../../words/index.ts";
import { expectationOf } from "./expectation-of.ts";

type Row = readonly [schema: object, words: string];

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
  [{ type: "object", properties: { a: text }, additionalProperties: number }, "object"],
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
];

describe("what a schema accepts, in words", () => {
  test.each(rows)("%o: %s", (schema, words) => {
    const index = indexSchema(schema, "2020-12");
    expect(writeExpectation(expectationOf(index, schema, index.root.base))).toBe(words);
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
