import { engineOf } from "../../testing/engine.ts";
import type { JsonSchema } from "../../shared/index.ts";
import { compileSchema } from "./compile-schema.ts";
import type { CompiledSchema } from "./compiled-schema.ts";
import { describe, expect, test } from "vitest";

function compile(schema: object, interpreter = false): CompiledSchema {
  return compileSchema(schema as JsonSchema, JSON.stringify(schema), engineOf(interpreter));
}

interface Row {
  readonly name: string;
  readonly schema: object;
  readonly accepts: readonly unknown[];
  readonly refuses: readonly unknown[];
  readonly leftOut?: readonly string[];
  readonly misspelt?: readonly string[];
}

/** A schema with one broken part beside a field that must stay enforced. */
function beside(q: unknown, more: object = {}): object {
  return { type: "object", properties: { q, n: { type: "integer" } }, ...more };
}

const misspelt = (type: unknown, good: unknown, bad: unknown, more: object = {}): Row => ({
  name: JSON.stringify({ type, ...more }),
  schema: beside({ type, ...more }),
  accepts: [{ q: good, n: 1 }],
  refuses: [{ q: bad }, { q: good, n: "x" }],
  misspelt: ["/properties/q/type"],
});

/** A keyword that is left out: any value is accepted at its place, but not beside it. */
const leftOut = (q: object, keyword: string, value: unknown): Row => ({
  name: JSON.stringify(q),
  schema: beside(q),
  accepts: [{ q: value, n: 1 }],
  refuses: [{ q: value, n: "x" }],
  leftOut: [`/properties/q/${keyword}`],
});

const MISSPELT: readonly Row[] = [
  misspelt("float", 1.5, "x"),
  misspelt("double", 1.5, "x"),
  misspelt("int", 1, 1.5),
  misspelt("str", "x", 1),
  misspelt("bool", true, "x"),
  misspelt("dict", {}, "x"),
  misspelt("map", {}, []),
  misspelt("list", [], "x"),
  misspelt("tuple", [1], "x"),
  misspelt("None", null, "x"),
  misspelt("STRING", "x", 1),
  misspelt(["float", "null"], null, "x"),
  misspelt(["str", "int"], 1, true),
  // What is beside it fits, and stays enforced.
  misspelt("str", "x", "", { minLength: 1 }),
  misspelt("str", "x", "xy", { maxLength: 1 }),
  misspelt("str", "x", "y", { pattern: "^x" }),
  misspelt("float", 1, 0.5, { minimum: 1 }),
  misspelt("int", 1, 2, { maximum: 1 }),
  misspelt("double", 1, 0, { exclusiveMinimum: 0 }),
  misspelt("long", 1, 2, { exclusiveMaximum: 2 }),
  misspelt("int", 4, 5, { multipleOf: 2 }),
  misspelt("list", ["x"], [1], { items: { type: "string" } }),
  misspelt("list", [1], [], { minItems: 1 }),
  misspelt("list", [1], [1, 2], { maxItems: 1 }),
  misspelt("list", [1, 2], [1, 1], { uniqueItems: true }),
  misspelt("list", ["x"], [1], { contains: { type: "string" } }),
  misspelt("tuple", ["x"], [1], { prefixItems: [{ type: "string" }] }),
  misspelt("dict", { a: 1 }, { a: "x" }, { properties: { a: { type: "integer" } } }),
  misspelt("dict", { a: 1 }, { a: "x" }, { patternProperties: { a: { type: "integer" } } }),
  misspelt("dict", {}, { a: 1 }, { additionalProperties: false }),
  misspelt("dict", { a: 1 }, { b: 1 }, { propertyNames: { const: "a" } }),
  misspelt("dict", { a: 1 }, {}, { minProperties: 1 }),
  misspelt("dict", {}, { a: 1 }, { maxProperties: 0 }),
  misspelt("dict", {}, { a: 1 }, { dependentRequired: { a: ["b"] } }),
  misspelt("dict", {}, { a: 1 }, { dependentSchemas: { a: { required: ["b"] } } }),
  misspelt("str", "x", "y", { enum: ["x"] }),
  misspelt("str", "x", "y", { const: "x" }),
  misspelt("str", "x", 1, { examples: ["x"] }),
  misspelt("str", "x", 1, { default: "x" }),
  misspelt("str", "x", 1, { default: null }),
  misspelt("dict", {}, "x", { default: {} }),
  {
    name: 'type: "any"',
    schema: beside({ type: "any" }),
    accepts: [{ q: 1 }, { q: "x" }, { q: null }],
    refuses: [{ n: "x" }],
    misspelt: ["/properties/q/type"],
  },
  {
    name: "a misspelt root",
    schema: { type: "dict", properties: { n: { type: "float", minimum: 1 } } },
    accepts: [{ n: 1.5 }],
    refuses: [{ n: 0 }, { n: "x" }, []],
    misspelt: ["/type", "/properties/n/type"],
  },
  {
    name: "a misspelling deep inside and in a definition",
    schema: {
      type: "object",
      properties: { a: { type: "array", items: { properties: { b: { $ref: "#/$defs/c" } } } } },
      $defs: { c: { type: "float" } },
    },
    accepts: [{ a: [{ b: 1.5 }] }],
    refuses: [{ a: [{ b: "x" }] }],
    misspelt: ["/$defs/c/type"],
  },
  {
    name: "a reference in a schema with an id of its own",
    schema: beside({
      $id: "https://example.com/q",
      type: "array",
      items: { $ref: "#/$defs/c" },
      $defs: { c: { type: "float" } },
    }),
    accepts: [{ q: [1.5] }],
    refuses: [{ q: ["x"] }],
    misspelt: ["/properties/q/$defs/c/type"],
  },
  {
    name: "a misspelling under not keeps its meaning",
    schema: beside({ not: { type: "str" } }),
    accepts: [{ q: 1 }],
    refuses: [{ q: "x" }],
    misspelt: ["/properties/q/not/type"],
  },
  {
    name: "required: true of properties",
    schema: {
      type: "object",
      properties: { a: { type: "string", required: true }, b: { type: "string", required: false } },
    },
    accepts: [{ a: "x" }],
    refuses: [{}, { b: "x" }],
    misspelt: ["/properties/a/required", "/properties/b/required"],
  },
  {
    name: "required: true of properties in a property",
    schema: {
      type: "object",
      properties: { o: { required: true, properties: { a: { required: true } } } },
    },
    accepts: [{ o: { a: 1 } }],
    refuses: [{}, { o: {} }],
    misspelt: ["/properties/o/required", "/properties/o/properties/a/required"],
  },
  {
    name: "required: true of a property that is listed too",
    schema: { type: "object", properties: { a: { required: true } }, required: ["a"] },
    accepts: [{ a: 1 }],
    refuses: [{}],
    misspelt: ["/properties/a/required"],
  },
];

const LEFT_OUT: readonly Row[] = [
  leftOut({ type: "strng" }, "type", 1),
  leftOut({ type: 12 }, "type", 1),
  leftOut({ type: ["string", "datum"] }, "type", 1),
  leftOut({ type: "float", enum: ["a", "b"] }, "type", "a"),
  leftOut({ type: "dict", items: {} }, "type", []),
  leftOut({ type: "str", minimum: 3 }, "type", 5),
  leftOut({ type: "int", default: "x" }, "type", "x"),
  leftOut({ type: "int", const: "x" }, "type", "x"),
  leftOut({ type: "int", examples: ["x"] }, "type", "x"),
  leftOut({ type: "int", minLength: 1 }, "type", "x"),
  leftOut({ type: "str", multipleOf: 5 }, "type", 5),
  leftOut({ type: "str", properties: {} }, "type", {}),
  leftOut({ type: "list", minProperties: 1 }, "type", { a: 1 }),
  leftOut({ enum: "a" }, "enum", "b"),
  leftOut({ minimum: "3" }, "minimum", 1),
  leftOut({ minLength: -1 }, "minLength", ""),
  leftOut({ pattern: 5 }, "pattern", "x"),
  leftOut({ format: ["email"] }, "format", "x"),
  leftOut({ items: "string" }, "items", [1]),
  leftOut({ uniqueItems: "true" }, "uniqueItems", [1, 1]),
  leftOut({ properties: ["a"] }, "properties", { a: 1 }),
  leftOut({ additionalProperties: "false" }, "additionalProperties", { a: 1 }),
  leftOut({ required: "a" }, "required", {}),
  leftOut({ required: true, default: 1 }, "required", undefined),
  leftOut({ $ref: "#/$defs/nowhere" }, "$ref", 1),
  leftOut({ $ref: "https://example.com/other.json" }, "$ref", 1),
  leftOut({ anyOf: { type: "string" } }, "anyOf", 1),
  leftOut({ not: "string" }, "not", "x"),
  leftOut({ dependentRequired: { a: "bc" } }, "dependentRequired", { a: 1 }),
  {
    name: "a property that is not a schema",
    schema: beside("string"),
    accepts: [{ q: 1, n: 1 }],
    refuses: [{ n: "x" }],
    leftOut: ["/properties/q"],
  },
  {
    name: "required: true beside the object's own list",
    schema: { type: "object", properties: { a: { required: true }, b: {} }, required: ["b"] },
    accepts: [{ b: 1 }],
    refuses: [{ a: 1 }],
    leftOut: ["/properties/a/required"],
  },
  {
    name: "a name with a slash and a tilde",
    schema: { type: "object", properties: { "a/b~": { type: 5, minimum: 3 } } },
    accepts: [{ "a/b~": "x" }],
    refuses: [{ "a/b~": 1 }],
    leftOut: ["/properties/a~1b~0/type"],
  },
];

// What would be stricter without a part of it.
const STRICTER: readonly Row[] = [
  {
    name: "not",
    schema: beside({ not: { type: "object", minProperties: "1" } }),
    accepts: [{ q: {} }, { q: { a: 1 } }],
    refuses: [{ n: "x" }],
    leftOut: ["/properties/q/not/minProperties", "/properties/q/not"],
  },
  {
    name: "not, through a reference",
    schema: beside(
      { not: { $ref: "#/$defs/a" } },
      { $defs: { a: { $ref: "#/$defs/b" }, b: { type: "string", minLength: "9" } } },
    ),
    accepts: [{ q: "x" }],
    refuses: [{ n: "x" }],
    leftOut: ["/$defs/b/minLength", "/properties/q/not"],
  },
  {
    name: "oneOf",
    schema: beside({ oneOf: [{ type: "integer" }, { type: "number", multipleOf: "0.5" }] }),
    accepts: [{ q: 1 }, { q: 1.5 }],
    refuses: [{ q: "x" }],
    leftOut: ["/properties/q/oneOf/1/multipleOf", "/properties/q/oneOf"],
  },
  {
    name: "oneOf beside anyOf",
    schema: beside({
      anyOf: [{ type: "number" }],
      oneOf: [{ minimum: "1" }, { type: "string" }],
    }),
    accepts: [{ q: 1 }],
    refuses: [{ q: "x" }],
    leftOut: ["/properties/q/oneOf/0/minimum", "/properties/q/oneOf"],
  },
  {
    name: "if",
    schema: beside({ if: { type: "string", minLength: "9" }, then: { enum: ["long enough"] } }),
    accepts: [{ q: "x" }],
    refuses: [{ n: "x" }],
    leftOut: ["/properties/q/if/minLength", "/properties/q/if"],
  },
  {
    name: "maxContains",
    schema: beside({ contains: { type: "string", minLength: "9" }, maxContains: 1 }),
    accepts: [{ q: ["a", "b"] }],
    refuses: [{ q: [1] }],
    leftOut: ["/properties/q/contains/minLength", "/properties/q/maxContains"],
  },
  {
    name: "additionalProperties beside properties",
    schema: beside({ properties: ["a"], additionalProperties: false }),
    accepts: [{ q: { a: 1 } }],
    refuses: [{ n: "x" }],
    leftOut: ["/properties/q/properties", "/properties/q/additionalProperties"],
  },
  {
    name: "unevaluatedProperties",
    schema: beside({}, { allOf: [{ $ref: "#/$defs/gone" }], unevaluatedProperties: false }),
    accepts: [{ q: 1, other: 1 }],
    refuses: [{ n: "x" }],
    leftOut: ["/allOf/0/$ref", "/unevaluatedProperties"],
  },
  {
    name: "what a reference overrides in draft-07",
    schema: {
      $schema: "http://json-schema.org/draft-07/schema#",
      ...beside({ $ref: "#/definitions/gone", minLength: 9 }),
    },
    accepts: [{ q: "x" }],
    refuses: [{ n: "x" }],
    leftOut: ["/properties/q/$ref"],
  },
];

describe.each([
  ["compiled", false],
  ["interpreted", true],
] as const)("%s", (_, interpreter) => {
  test.each([...MISSPELT, ...LEFT_OUT, ...STRICTER])("$name", (row) => {
    const compiled = compile(row.schema, interpreter);
    expect(row.accepts.filter((value) => !compiled.accepts(value))).toEqual([]);
    expect(row.refuses.filter((value) => compiled.accepts(value))).toEqual([]);
    expect(compiled.places).toEqual({
      ...(row.leftOut && { "keyword-left-out": row.leftOut }),
      ...(row.misspelt && { "keyword-misspelt": row.misspelt }),
    });
    expect([...compiled.warnings]).toEqual(Object.keys(compiled.places ?? {}));
  });

  test.each([
    ["nothing else", { type: "object", properties: { q: { type: 12 } } }],
    ["a type that does not exist", { type: "strng" }],
    ["a misspelt root alone", { type: "dict", properties: { q: { type: "any" } } }],
    [
      "an unknown dialect",
      {
        $schema: "https://example.com/mine",
        properties: { q: { type: 5 }, n: { type: "string" } },
      },
    ],
  ])("stays open: %s", (__, schema) => {
    const compiled = compile(schema, interpreter);
    expect(compiled.accepts({ q: [], n: 1 })).toBe(true);
    expect(compiled.places).toBeUndefined();
    expect([...compiled.warnings]).toHaveLength(1);
  });
});
