import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z as z4 } from "zod";
import { z as z3 } from "zod3";
import type { JsonSchema } from "../shared/index.ts";
import { createSchemaCache } from "../schema/index.ts";
import { jsonSchemaOf } from "./json-schema-of.ts";

function withoutDialect(schema: JsonSchema | undefined): unknown {
  if (typeof schema !== "object") return schema;
  const { $schema: _, ...rest } = schema;
  return rest;
}

describe("exported by the validator", () => {
  test.each([
    ["zod 4", z4.object({ path: z4.string(), mode: z4.number().default(4) })],
    ["arktype", type({ path: "string", mode: "number = 4" })],
  ] as const)("%s: what it takes in", (_, validator) => {
    expect(jsonSchemaOf(validator)).toMatchObject({
      type: "object",
      properties: { path: { type: "string" } },
      required: ["path"],
    });
  });

  test("a part that JSON Schema cannot express costs that part only", () => {
    expect(jsonSchemaOf(z4.object({ at: z4.date(), path: z4.string() }))).toMatchObject({
      properties: { at: {}, path: { type: "string" } },
    });
  });

  test("an export that throws is as good as none", () => {
    const validator: StandardSchemaV1 = z4.string();
    const input = (): never => {
      throw new Error("not supported");
    };
    const broken = { "~standard": { ...validator["~standard"], jsonSchema: { input } } };
    expect(jsonSchemaOf(broken)).toBeUndefined();
  });
});

test("is read once a validator", () => {
  const validator = z3.object({ path: z3.string() });
  expect(jsonSchemaOf(validator)).toBe(jsonSchemaOf(validator));
});

test("validators of unknown libraries have none", () => {
  const validator: StandardSchemaV1 = {
    "~standard": { version: 1, vendor: "acme", validate: (value) => ({ value }) },
  };
  expect(jsonSchemaOf(validator)).toBeUndefined();
});

const text = { type: "string" };
const number = { type: "number" };

describe("read from zod 3", () => {
  const rows: readonly [string, StandardSchemaV1, unknown][] = [
    [
      "string rules",
      z3.string().min(1).max(9).email().trim(),
      { ...text, minLength: 1, maxLength: 9, format: "email" },
    ],
    [
      "affixes",
      z3.string().startsWith("a.").endsWith("z"),
      { ...text, pattern: "^a\\.", allOf: [{ pattern: "z$" }] },
    ],
    [
      "number rules",
      z3.number().int().min(1).lt(9).multipleOf(2),
      { type: "integer", minimum: 1, exclusiveMaximum: 9, multipleOf: 2 },
    ],
    ["boolean", z3.boolean(), { type: "boolean" }],
    ["null", z3.null(), { type: "null" }],
    ["date", z3.date(), { ...text, format: "date-time" }],
    ["literal", z3.literal(3), { ...number, enum: [3] }],
    [
      "native enum",
      z3.nativeEnum({ Low: 0, High: 1, 0: "Low", 1: "High" } as const),
      { ...number, enum: [0, 1] },
    ],
    [
      "array",
      z3.array(z3.string()).length(2),
      { type: "array", items: text, minItems: 2, maxItems: 2 },
    ],
    [
      "tuple with rest",
      z3.tuple([z3.string()]).rest(z3.number()),
      { type: "array", prefixItems: [text], minItems: 1, items: number },
    ],
    [
      "record",
      z3.record(z3.number()),
      { type: "object", propertyNames: text, additionalProperties: number },
    ],
    [
      "strict object",
      z3.object({ a: z3.string() }).strict(),
      { type: "object", properties: { a: text }, required: ["a"], additionalProperties: false },
    ],
    [
      "catch-all",
      z3.object({}).catchall(z3.number()),
      { type: "object", properties: {}, additionalProperties: number },
    ],
    ["passthrough object", z3.object({}).passthrough(), { type: "object", properties: {} }],
    [
      "fields that may be left out",
      z3.object({
        a: z3.string().optional(),
        b: z3.string().default("x"),
        c: z3.any(),
        d: z3.string().nullish(),
        e: z3.string().optional().transform(String),
        f: z3.union([z3.string(), z3.undefined()]),
        g: z3.string().catch("x"),
        h: z3.string().nullable(),
      }),
      { required: ["h"] },
    ],
    ["nullable", z3.string().nullable(), { anyOf: [text, { type: "null" }] }],
    ["intersection", z3.intersection(z3.string(), z3.string()), { allOf: [text, text] }],
    [
      "wrappers",
      z3.string().brand().readonly().refine(Boolean).transform(Number).pipe(z3.number()),
      text,
    ],
    ["preprocess", z3.preprocess((one) => one, z3.string()), text],
    ["never", z3.never(), false],
    ["what JSON has not", z3.map(z3.string(), z3.string()), {}],
  ];

  test.each(rows)("%s", (_, validator, schema) => {
    const found = jsonSchemaOf(validator);
    if (typeof schema === "object") expect(found).toMatchObject(schema as object);
    else expect(found).toBe(schema);
    if (typeof found === "object" && !("required" in (schema as object)))
      expect(found).not.toHaveProperty("required");
  });
});

describe("read from valibot", () => {
  const rows: readonly [string, StandardSchemaV1, unknown][] = [
    [
      "string rules",
      v.pipe(v.string(), v.trim(), v.minLength(1), v.email()),
      { ...text, minLength: 1, format: "email" },
    ],
    ["rules after a transform", v.pipe(v.string(), v.transform(Number), v.minValue(3)), text],
    [
      "number rules",
      v.pipe(v.number(), v.integer(), v.minValue(1), v.ltValue(9), v.multipleOf(2)),
      { type: "integer", minimum: 1, exclusiveMaximum: 9, multipleOf: 2 },
    ],
    ["literal", v.literal("a"), { ...text, enum: ["a"] }],
    ["picklist", v.picklist(["a", 1]), { enum: ["a", 1] }],
    ["enum", v.enum({ Low: 0, High: 1 }), { ...number, enum: [0, 1] }],
    ["date", v.date(), { ...text, format: "date-time" }],
    [
      "array",
      v.pipe(v.array(v.string()), v.maxLength(2)),
      { type: "array", items: text, maxItems: 2 },
    ],
    [
      "strict tuple",
      v.strictTuple([v.string()]),
      { type: "array", prefixItems: [text], minItems: 1, maxItems: 1 },
    ],
    [
      "tuple with rest",
      v.tupleWithRest([v.string()], v.number()),
      { type: "array", prefixItems: [text], minItems: 1, items: number },
    ],
    [
      "record",
      v.record(v.string(), v.number()),
      { type: "object", propertyNames: text, additionalProperties: number },
    ],
    [
      "sized record",
      v.pipe(v.record(v.string(), v.number()), v.minEntries(1)),
      { type: "object", minProperties: 1 },
    ],
    [
      "strict object",
      v.strictObject({ a: v.string() }),
      { type: "object", properties: { a: text }, required: ["a"], additionalProperties: false },
    ],
    [
      "object with rest",
      v.objectWithRest({}, v.number()),
      { type: "object", properties: {}, additionalProperties: number },
    ],
    [
      "fields that may be left out",
      v.object({
        a: v.optional(v.string()),
        b: v.exactOptional(v.string()),
        c: v.nullish(v.string()),
        d: v.fallback(v.string(), "x"),
        e: v.pipe(v.optional(v.string()), v.transform(String)),
        f: v.nullable(v.string()),
      }),
      { required: ["f"] },
    ],
    ["union", v.union([v.string(), v.number()]), { anyOf: [text, number] }],
    [
      "variant",
      v.variant("k", [v.object({ k: v.literal("a") })]),
      { oneOf: [{ properties: { k: { enum: ["a"] } } }] },
    ],
    ["intersection", v.intersect([v.string(), v.string()]), { allOf: [text, text] }],
    ["never", v.never(), false],
    ["what JSON has not", v.map(v.string(), v.string()), {}],
  ];

  test.each(rows)("%s", (_, validator, schema) => {
    const found = jsonSchemaOf(validator);
    if (typeof schema === "object") expect(found).toMatchObject(schema as object);
    else expect(found).toBe(schema);
  });
});

describe("recursion", () => {
  interface Folder {
    readonly name: string;
    readonly folders: readonly Folder[];
  }
  const folder3: z3.ZodType<Folder> = z3.lazy(() =>
    z3.object({ name: z3.string(), folders: z3.array(folder3) }),
  );
  const folderV: v.GenericSchema<Folder> = v.lazy(() =>
    v.object({ name: v.string(), folders: v.array(folderV) }),
  );
  const endless3 = (): z3.ZodType => z3.lazy(() => z3.object({ a: endless3(), b: endless3() }));

  test.each([
    ["zod 3", folder3],
    ["valibot", folderV],
  ] as const)("%s: unrolled a little, open below", (_, validator) => {
    const schema = jsonSchemaOf(validator);
    const cache = createSchemaCache({ interpreter: false });
    const compiled = cache.get(schema ?? false);
    expect(compiled.accepts({ name: "a", folders: [{ name: "b", folders: [] }] })).toBe(true);
    expect(compiled.accepts({ name: "a", folders: [{ name: 1, folders: [] }] })).toBe(false);
  });

  test("a schema that never ends is cut", () => {
    const schema = jsonSchemaOf(endless3());
    expect(JSON.stringify(withoutDialect(schema)).length).toBeLessThan(200_000);
  });

  test("a part that throws when read is open", () => {
    const validator = z3.object({
      a: z3.lazy((): z3.ZodType => {
        throw new Error("not yet defined");
      }),
      b: z3.string(),
    });
    expect(jsonSchemaOf(validator)).toMatchObject({ properties: { b: text } });
  });
});
