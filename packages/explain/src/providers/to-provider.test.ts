import { isWhole } from "@toolcontract/case-table/whole";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../shared/index.ts";
import { refusalsOfInput, toProvider } from "./index.ts";
import type { SchemaProvider } from "./index.ts";

const PROVIDERS: readonly SchemaProvider[] = ["openai", "anthropic", "gemini", "bedrock"];
const text = { type: "string", description: "A text" };

function judge(schema: unknown): (value: unknown) => boolean {
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    validateFormats: false,
    validateSchema: false,
    meta: false,
  });
  return ajv.compile(schema as object) as (value: unknown) => boolean;
}

function refusedOf(inputSchema: JsonSchema, provider: SchemaProvider) {
  return refusalsOfInput(inputSchema, { providers: [provider], isAsked: true });
}

describe("what a provider refuses is written as it takes it", () => {
  test.each<readonly [what: string, provider: SchemaProvider, schema: object, expected: object]>([
    [
      "variants at the top that only require",
      "anthropic",
      {
        type: "object",
        properties: { isbn: text, title: text },
        anyOf: [{ required: ["isbn"] }, { required: ["title"] }],
        additionalProperties: false,
      },
      {
        type: "object",
        properties: { isbn: text, title: text },
        additionalProperties: false,
        description: "Needed: isbn; or title.",
      },
    ],
    [
      "variants of closed objects",
      "openai",
      {
        oneOf: [
          {
            type: "object",
            properties: { to: { const: "shelf" }, row: text },
            required: ["to", "row"],
            additionalProperties: false,
          },
          {
            type: "object",
            properties: { to: { const: "bin" } },
            required: ["to"],
            additionalProperties: false,
          },
        ],
      },
      {
        type: "object",
        properties: { to: { anyOf: [{ const: "shelf" }, { const: "bin" }] }, row: text },
        required: ["to"],
        additionalProperties: false,
        description: "Needed: to, row; or to.",
      },
    ],
    [
      "a field of an open variant, which may be anything in the other one",
      "openai",
      { oneOf: [{ type: "object", properties: { row: text } }, { type: "object" }] },
      { type: "object", properties: { row: { description: "A text" } } },
    ],
    [
      "parts at the top",
      "bedrock",
      { allOf: [{ properties: { a: text }, required: ["a"] }, { properties: { b: text } }] },
      { type: "object", properties: { a: text, b: text }, required: ["a"] },
    ],
    [
      "a reference at the top",
      "openai",
      { $ref: "#/$defs/a", $defs: { a: { type: "object", properties: { b: text } } } },
      {
        $defs: { a: { type: "object", properties: { b: text } } },
        type: "object",
        properties: { b: text },
      },
    ],
    [
      "a name that is not taken",
      "anthropic",
      {
        type: "object",
        properties: { $select: text, top: {} },
        required: ["$select"],
        additionalProperties: false,
      },
      {
        type: "object",
        properties: { top: {} },
        required: ["$select"],
        additionalProperties: false,
        patternProperties: { "^\\$select$": text },
        description: 'Other fields: "$select".',
      },
    ],
    [
      "an array without items",
      "openai",
      { type: "object", properties: { a: { type: "array" } } },
      { type: "object", properties: { a: { type: "array", items: {} } } },
    ],
    [
      "a tuple",
      "anthropic",
      {
        type: "object",
        properties: { a: { type: "array", items: [text], additionalItems: false } },
      },
      { type: "object", properties: { a: { type: "array", prefixItems: [text], items: false } } },
    ],
    [
      "a bound of draft 4",
      "anthropic",
      { type: "object", properties: { a: { minimum: 0, exclusiveMinimum: true } } },
      { type: "object", properties: { a: { minimum: 0 } } },
    ],
    [
      "a pattern",
      "openai",
      { type: "object", properties: { a: { type: "string", pattern: "\\p{L}" } } },
      { type: "object", properties: { a: { type: "string", description: "Pattern: \\p{L}" } } },
    ],
    [
      "a reference that leads nowhere",
      "openai",
      { type: "object", properties: { a: { $ref: "#/$defs/no", title: "A" } } },
      { type: "object", properties: { a: { title: "A" } } },
    ],
    ["no properties", "openai", { type: "object" }, { type: "object", properties: {} }],
    [
      "an enum of numbers",
      "gemini",
      {
        type: "object",
        properties: { stars: { type: "integer", enum: [1, 3], description: "Stars" } },
      },
      {
        type: "object",
        properties: { stars: { type: "integer", description: "Stars One of: 1, 3" } },
      },
    ],
    [
      "types of items",
      "gemini",
      {
        type: "object",
        properties: { a: { type: "array", items: { type: ["string", "number"] } } },
      },
      {
        type: "object",
        properties: {
          a: { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } },
        },
      },
    ],
    [
      "a nullable text",
      "gemini",
      { type: "object", properties: { a: { ...text, type: ["string", "null"] } } },
      { type: "object", properties: { a: { anyOf: [text, { type: "null" }] } } },
    ],
    [
      "a reference",
      "gemini",
      { type: "object", properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: text } },
      { type: "object", properties: { a: text } },
    ],
    [
      "what the older form has no field for",
      "gemini",
      {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        properties: { a: { const: "x" }, b: { type: "number", exclusiveMinimum: 0 } },
        additionalProperties: false,
      },
      {
        type: "object",
        properties: { a: { type: "string", enum: ["x"] }, b: { type: "number", minimum: 0 } },
      },
    ],
  ])("%s, %s", (_, provider, inputSchema, expected) => {
    const before = structuredClone(inputSchema);
    const after = toProvider({ name: "t", inputSchema: inputSchema as never }, provider);
    expect(after.inputSchema).toEqual(expected);
    expect(after.changes).not.toEqual([]);
    expect(inputSchema).toEqual(before);
    expect(refusedOf(after.inputSchema, provider)).toEqual([]);
  });

  test.each(PROVIDERS)("what %s takes is the same object", (provider) => {
    const inputSchema = {
      type: "object",
      properties: { q: { type: "string", minLength: 2 } },
      required: ["q"],
    };
    const after = toProvider({ name: "t", inputSchema }, provider);
    expect(after.inputSchema).toBe(inputSchema);
    expect(after.changes).toEqual([]);
  });

  test("a schema that contains itself ends", () => {
    const inputSchema = {
      type: "object",
      properties: { child: { $ref: "#" }, all: { type: "array", items: { $ref: "#" } } },
    };
    for (const provider of PROVIDERS)
      expect(
        refusedOf(toProvider({ name: "t", inputSchema }, provider).inputSchema, provider),
      ).toEqual([]);
  });
});

const scalar = fc.constantFrom<unknown>("a", "b", "", 1, 2.5, true, null, [], ["a"], {}, { a: 1 });
const type = fc.constantFrom("string", "number", "integer", "boolean", "null", "array", "object");
/** Schemas of a few keywords: with all of them, nothing passes. */
function fewOf(keywords: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<object> {
  const names = fc.uniqueArray(fc.constantFrom(...Object.keys(keywords)), { maxLength: 3 });
  return names.chain((some) =>
    fc.record(Object.fromEntries(some.map((name) => [name, keywords[name] ?? fc.constant({})]))),
  );
}

const { schema: anySchema } = fc.letrec<{ schema: object }>((tie) => {
  const inner = fc.oneof({ maxDepth: 2 }, fc.constant({}), tie("schema"));
  const list = fc.array(inner, { minLength: 1, maxLength: 2 });
  return {
    schema: fewOf({
      type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 2 })),
      enum: fc.uniqueArray(scalar, {
        minLength: 1,
        maxLength: 3,
        comparator: (a, b) => JSON.stringify(a) === JSON.stringify(b),
      }),
      const: scalar,
      minimum: fc.integer({ min: -1, max: 2 }),
      exclusiveMinimum: fc.oneof(fc.integer({ min: -1, max: 2 }), fc.boolean()),
      maxLength: fc.integer({ min: 0, max: 2 }),
      pattern: fc.constantFrom("^a", "\\p{L}", "^\\u{61}"),
      maxItems: fc.integer({ min: 0, max: 2 }),
      required: fc.uniqueArray(fc.constantFrom("a", "$b", "c"), { maxLength: 2 }),
      properties: fc.dictionary(fc.constantFrom("a", "$b"), inner, { maxKeys: 2 }),
      additionalProperties: fc.oneof(fc.boolean(), inner),
      patternProperties: fc.dictionary(fc.constantFrom("^a", "\\p{L}"), inner, { maxKeys: 1 }),
      unevaluatedProperties: fc.constant(false),
      items: inner,
      prefixItems: list,
      contains: inner,
      maxContains: fc.constant(1),
      allOf: list,
      anyOf: list,
      oneOf: list,
      not: inner,
      if: inner,
      then: inner,
      else: inner,
      nullable: fc.boolean(),
      $ref: fc.constantFrom("#/$defs/x", "#/$defs/none"),
    }),
  };
});

const VALUES = fc.sample(
  fc.dictionary(
    fc.constantFrom("a", "$b", "c"),
    fc.oneof(scalar, fc.dictionary(fc.constantFrom("a", "$b"), scalar)),
  ),
  { numRuns: 40, seed: 3 },
);

test("every object that a schema admits, its rewrite admits, and its provider takes", () => {
  let rewritten = 0;
  let admitted = 0;
  fc.assert(
    fc.property(anySchema, anySchema, fc.constantFrom(...PROVIDERS), (given, target, provider) => {
      const inputSchema = { ...given, $defs: { x: target } };
      const after = toProvider({ name: "t", inputSchema }, provider);
      expect(refusedOf(after.inputSchema, provider)).toEqual([]);
      if (after.changes.length > 0) rewritten += 1;
      let accepts;
      try {
        accepts = judge(inputSchema);
      } catch {
        // A reference that leads nowhere or a broken keyword: nobody judges by it.
        return;
      }
      const good = VALUES.filter((value) => accepts(value));
      admitted += good.length;
      const takes = judge(after.inputSchema);
      expect(good.filter((value) => !takes(value))).toEqual([]);
    }),
    { numRuns: isWhole ? 2_000 : 400 },
  );
  expect(rewritten).toBeGreaterThan(100);
  expect(admitted).toBeGreaterThan(500);
});
