import type { SchemaObject } from "@toolcontract/core";
import { expect, test } from "vitest";
import { lenientTool } from "./lenient-tool.ts";

const closed = { additionalProperties: false } as const;
const date = { type: "string", format: "date" } as const;
const text = { type: "string" } as const;

test.each<[string, SchemaObject, SchemaObject]>([
  ["formats", { properties: { a: date } }, { properties: { a: text } }],
  [
    "closed objects",
    { type: "object", ...closed, unevaluatedProperties: false },
    { type: "object" },
  ],
  [
    "both, wherever they stand",
    {
      items: { ...closed, allOf: [date] },
      prefixItems: [date],
      additionalProperties: date,
      patternProperties: { "^d": date },
      definitions: { d: date },
      $defs: { d: { anyOf: [date, closed] } },
    },
    {
      items: { allOf: [text] },
      prefixItems: [text],
      additionalProperties: text,
      patternProperties: { "^d": text },
      definitions: { d: text },
      $defs: { d: { anyOf: [text, {}] } },
    },
  ],
  ["the lists of older dialects", { items: [date, text] }, { items: [text, text] }],
  [
    "fields with a default that are required",
    { properties: { a: { default: 1 }, b: text }, required: ["a", "b", "toString"] },
    { properties: { a: { default: 1 }, b: text }, required: ["b", "toString"] },
  ],
  [
    "not fields of those names",
    { properties: { format: date, additionalProperties: date } },
    { properties: { format: text, additionalProperties: text } },
  ],
])("%s are left out", (_, inputSchema, expected) => {
  expect(lenientTool({ name: "t", inputSchema }).inputSchema).toEqual(expected);
});

test.each<[string, SchemaObject]>([
  ["what it needs not", { not: date, if: closed, oneOf: [date, closed] }],
  [
    "values that look like schemas",
    { enum: [date], const: closed, default: date, examples: [date] },
  ],
  ["a schema for further fields", { additionalProperties: text }],
  [
    "a schema too deep to be walked",
    { items: JSON.parse(`${'{"items":'.repeat(20_000)}{}${"}".repeat(20_000)}`) },
  ],
])("%s stays, and so does the tool", (_, inputSchema) => {
  const tool = { name: "t", inputSchema };
  expect(lenientTool(tool)).toBe(tool);
});

test("a tool without a schema stays", () => {
  const tool = { name: "t" };
  expect(lenientTool(tool)).toBe(tool);
});
