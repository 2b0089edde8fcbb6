import { schemaOf } from "@toolcontract/case-table/schema-of";
import { inWords } from "../testing/in-words.ts";
import { aggregate } from "../findings/index.ts";
import type { Finding, JsonSchema } from "../shared/index.ts";
import { createCompilingCache } from "../schema/index.ts";
import { jsonSchemaOf } from "./json-schema-of.ts";
import { validateStandard } from "./validate-standard.ts";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z as z4 } from "zod";
import { z as z3 } from "zod3";

const cache = createCompilingCache();

type Library = "zod 3" | "zod 4" | "valibot" | "arktype";

interface Rule {
  readonly rule: string;
  readonly json: JsonSchema;
  readonly input: unknown;
  readonly "zod 3": StandardSchemaV1;
  readonly "zod 4": StandardSchemaV1;
  readonly valibot: StandardSchemaV1;
  readonly arktype: StandardSchemaV1;
  /** What a library says otherwise, and why that is right. */
  readonly except?: Partial<Record<Library, readonly Told[]>>;
}

interface Told {
  readonly code: string;
  readonly path: string;
  readonly expected?: string;
  readonly hint?: string;
}

function told(findings: readonly Finding[]): readonly Told[] {
  return aggregate(findings)
    .map(inWords)
    .map(({ code, path, expected, hint }) => ({
      code,
      path: path.map((segment) => `/${segment}`).join(""),
      ...(expected === undefined ? {} : { expected }),
      ...(hint === undefined ? {} : { hint }),
    }));
}

function toldBy(validator: StandardSchemaV1, input: unknown): readonly Told[] {
  const schema = jsonSchemaOf(validator) ?? schemaOf(validator);
  const verdict = validateStandard(validator, input, () =>
    schema === undefined ? undefined : cache.get(schema),
  );
  if ("then" in verdict) throw new Error("asynchronous");
  return verdict.ok ? [] : told(verdict.findings);
}

const object = (
  properties: Readonly<Record<string, JsonSchema>>,
  extra: object = {},
): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  ...extra,
});

const RULES: readonly Rule[] = [
  {
    rule: "missing field",
    json: object({ path: { type: "string" }, mode: { type: "integer" } }),
    input: { mode: 4 },
    "zod 3": z3.object({ path: z3.string(), mode: z3.number().int() }),
    "zod 4": z4.object({ path: z4.string(), mode: z4.int() }),
    valibot: v.object({ path: v.string(), mode: v.pipe(v.number(), v.integer()) }),
    arktype: type({ path: "string", mode: "number.integer" }),
  },
  {
    rule: "missing field, probably misnamed",
    json: object({ path: { type: "string" } }),
    input: { file_path: "a.txt" },
    "zod 3": z3.object({ path: z3.string() }),
    "zod 4": z4.object({ path: z4.string() }),
    valibot: v.object({ path: v.string() }),
    arktype: type({ path: "string" }),
  },
  {
    rule: "wrong type",
    json: object({ count: { type: "number" }, tags: { type: "array", items: { type: "string" } } }),
    input: { count: "5", tags: "urgent" },
    "zod 3": z3.object({ count: z3.number(), tags: z3.array(z3.string()) }),
    "zod 4": z4.object({ count: z4.number(), tags: z4.array(z4.string()) }),
    valibot: v.object({ count: v.number(), tags: v.array(v.string()) }),
    arktype: type({ count: "number", tags: "string[]" }),
  },
  {
    rule: "arguments that are no object",
    json: object({ path: { type: "string" } }),
    input: ["a.txt"],
    "zod 3": z3.object({ path: z3.string() }),
    "zod 4": z4.object({ path: z4.string() }),
    valibot: v.object({ path: v.string() }),
    arktype: type({ path: "string" }),
  },
  {
    rule: "stringified array",
    json: object({ tags: { type: "array", items: { type: "string" } } }),
    input: { tags: '["urgent"]' },
    "zod 3": z3.object({ tags: z3.array(z3.string()) }),
    "zod 4": z4.object({ tags: z4.array(z4.string()) }),
    valibot: v.object({ tags: v.array(v.string()) }),
    arktype: type({ tags: "string[]" }),
  },
  {
    rule: "range",
    json: object({ limit: { type: "number", minimum: 1, maximum: 100 } }),
    input: { limit: 500 },
    "zod 3": z3.object({ limit: z3.number().min(1).max(100) }),
    "zod 4": z4.object({ limit: z4.number().min(1).max(100) }),
    valibot: v.object({ limit: v.pipe(v.number(), v.minValue(1), v.maxValue(100)) }),
    arktype: type({ limit: "1 <= number <= 100" }),
  },
  {
    rule: "exclusive range",
    json: object({ ratio: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 } }),
    input: { ratio: 1 },
    "zod 3": z3.object({ ratio: z3.number().gt(0).lt(1) }),
    "zod 4": z4.object({ ratio: z4.number().gt(0).lt(1) }),
    valibot: v.object({ ratio: v.pipe(v.number(), v.gtValue(0), v.ltValue(1)) }),
    arktype: type({ ratio: "0 < number < 1" }),
  },
  {
    rule: "integer",
    json: object({ page: { type: "integer" } }),
    input: { page: 1.5 },
    "zod 3": z3.object({ page: z3.number().int() }),
    "zod 4": z4.object({ page: z4.number().int() }),
    valibot: v.object({ page: v.pipe(v.number(), v.integer()) }),
    arktype: type({ page: "number.integer" }),
  },
  {
    rule: "quoted integer",
    json: object({ page: { type: "integer" } }),
    input: { page: "3" },
    "zod 3": z3.object({ page: z3.number().int() }),
    "zod 4": z4.object({ page: z4.number().int() }),
    valibot: v.object({ page: v.pipe(v.number(), v.integer()) }),
    arktype: type({ page: "number.integer" }),
  },
  {
    rule: "multiple",
    json: object({ seconds: { type: "number", multipleOf: 15 } }),
    input: { seconds: 20 },
    "zod 3": z3.object({ seconds: z3.number().multipleOf(15) }),
    "zod 4": z4.object({ seconds: z4.number().multipleOf(15) }),
    valibot: v.object({ seconds: v.pipe(v.number(), v.multipleOf(15)) }),
    arktype: type({ seconds: "number % 15" }),
    // Its JSON Schema says integer, which every multiple of 15 is.
    except: {
      arktype: [{ code: "VAL-003", path: "/seconds", expected: "integer, a multiple of 15" }],
    },
  },
  {
    rule: "string length",
    json: object({ title: { type: "string", minLength: 3, maxLength: 8 } }),
    input: { title: "ab" },
    "zod 3": z3.object({ title: z3.string().min(3).max(8) }),
    "zod 4": z4.object({ title: z4.string().min(3).max(8) }),
    valibot: v.object({ title: v.pipe(v.string(), v.minLength(3), v.maxLength(8)) }),
    arktype: type({ title: "3 <= string <= 8" }),
  },
  {
    rule: "exact string length",
    json: object({ country: { type: "string", minLength: 2, maxLength: 2 } }),
    input: { country: "deu" },
    "zod 3": z3.object({ country: z3.string().length(2) }),
    "zod 4": z4.object({ country: z4.string().length(2) }),
    valibot: v.object({ country: v.pipe(v.string(), v.length(2)) }),
    arktype: type({ country: "string == 2" }),
  },
  {
    rule: "pattern",
    json: object({ sku: { type: "string", pattern: "^[A-Z]{3}-\\d+$" } }),
    input: { sku: "abc" },
    "zod 3": z3.object({ sku: z3.string().regex(/^[A-Z]{3}-\d+$/) }),
    "zod 4": z4.object({ sku: z4.string().regex(/^[A-Z]{3}-\d+$/) }),
    valibot: v.object({ sku: v.pipe(v.string(), v.regex(/^[A-Z]{3}-\d+$/)) }),
    arktype: type({ sku: /^[A-Z]{3}-\d+$/ }),
  },
  {
    rule: "e-mail format",
    json: object({ to: { type: "string", format: "email" } }),
    input: { to: "ana" },
    "zod 3": z3.object({ to: z3.string().email() }),
    "zod 4": z4.object({ to: z4.email() }),
    valibot: v.object({ to: v.pipe(v.string(), v.email()) }),
    arktype: type({ to: "string.email" }),
  },
  {
    rule: "URL format",
    json: object({ link: { type: "string", format: "uri" } }),
    input: { link: "example page" },
    "zod 3": z3.object({ link: z3.string().url() }),
    "zod 4": z4.object({ link: z4.url() }),
    valibot: v.object({ link: v.pipe(v.string(), v.url()) }),
    arktype: type({ link: "string.url" }),
  },
  {
    rule: "date-time format",
    json: object({ at: { type: "string", format: "date-time" } }),
    input: { at: "tomorrow" },
    "zod 3": z3.object({ at: z3.string().datetime() }),
    "zod 4": z4.object({ at: z4.iso.datetime() }),
    valibot: v.object({ at: v.pipe(v.string(), v.isoTimestamp()) }),
    arktype: type({ at: "string.date.iso" }),
    // It knows more forms of a date than the format allows, and describes them.
    except: {
      arktype: [
        {
          code: "VAL-010",
          path: "/at",
          expected: "string in ISO 8601 (YYYY-MM-DDTHH:mm:ss.sssZ) date format",
        },
      ],
    },
  },
  {
    rule: "enum",
    json: object({ encoding: { type: "string", enum: ["utf-8", "ascii", "utf-16"] } }),
    input: { encoding: "uft8" },
    "zod 3": z3.object({ encoding: z3.enum(["utf-8", "ascii", "utf-16"]) }),
    "zod 4": z4.object({ encoding: z4.enum(["utf-8", "ascii", "utf-16"]) }),
    valibot: v.object({ encoding: v.picklist(["utf-8", "ascii", "utf-16"]) }),
    arktype: type({ encoding: "'utf-8' | 'ascii' | 'utf-16'" }),
  },
  {
    rule: "enum, wrong type",
    json: object({ encoding: { type: "string", enum: ["utf-8", "ascii"] } }),
    input: { encoding: true },
    "zod 3": z3.object({ encoding: z3.enum(["utf-8", "ascii"]) }),
    "zod 4": z4.object({ encoding: z4.enum(["utf-8", "ascii"]) }),
    valibot: v.object({ encoding: v.picklist(["utf-8", "ascii"]) }),
    arktype: type({ encoding: "'utf-8' | 'ascii'" }),
    // Its JSON Schema lists the values without a type.
    except: {
      arktype: [{ code: "VAL-008", path: "/encoding", expected: 'one of "utf-8", "ascii"' }],
    },
  },
  {
    rule: "literal",
    json: object({ version: { type: "string", const: "v1" } }),
    input: { version: "v2" },
    "zod 3": z3.object({ version: z3.literal("v1") }),
    "zod 4": z4.object({ version: z4.literal("v1") }),
    valibot: v.object({ version: v.literal("v1") }),
    arktype: type({ version: "'v1'" }),
  },
  {
    rule: "array length",
    json: object({ ids: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 2 } }),
    input: { ids: [] },
    "zod 3": z3.object({ ids: z3.array(z3.string()).min(1).max(2) }),
    "zod 4": z4.object({ ids: z4.array(z4.string()).min(1).max(2) }),
    valibot: v.object({ ids: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(2)) }),
    arktype: type({ ids: "1 <= string[] <= 2" }),
  },
  {
    rule: "short tuple",
    json: object({
      range: { type: "array", prefixItems: [{ type: "number" }, { type: "number" }], minItems: 2 },
    }),
    input: { range: [1] },
    "zod 3": z3.object({ range: z3.tuple([z3.number(), z3.number()]).rest(z3.unknown()) }),
    "zod 4": z4.object({ range: z4.tuple([z4.number(), z4.number()]).rest(z4.unknown()) }),
    valibot: v.object({ range: v.tuple([v.number(), v.number()]) }),
    arktype: type({ range: ["number", "number", "...", "unknown[]"] }),
  },
  {
    rule: "unknown field of a closed object",
    json: object(
      { path: { type: "string" }, content: { type: "string" } },
      { additionalProperties: false },
    ),
    input: { pth: "a.txt", content: "x", mode: 1 },
    "zod 3": z3.object({ path: z3.string(), content: z3.string() }).strict(),
    "zod 4": z4.strictObject({ path: z4.string(), content: z4.string() }),
    valibot: v.strictObject({ path: v.string(), content: v.string() }),
    arktype: type({ path: "string", content: "string", "+": "reject" }),
    // It stops at the first unknown field.
    except: {
      valibot: [
        {
          code: "VAL-005",
          path: "/pth",
          expected: "only path, content",
          hint: 'rename it to "path"',
        },
      ],
    },
  },
  {
    rule: "nested path in an array",
    json: object({
      edits: { type: "array", items: object({ line: { type: "integer", minimum: 1 } }) },
    }),
    input: { edits: [{ line: 1 }, { line: 0 }, {}] },
    "zod 3": z3.object({ edits: z3.array(z3.object({ line: z3.number().int().min(1) })) }),
    "zod 4": z4.object({ edits: z4.array(z4.object({ line: z4.int().min(1) })) }),
    valibot: v.object({
      edits: v.array(v.object({ line: v.pipe(v.number(), v.integer(), v.minValue(1)) })),
    }),
    arktype: type({ edits: type({ line: "number.integer >= 1" }).array() }),
  },
  {
    rule: "union with a discriminator",
    json: {
      oneOf: [
        object({ kind: { const: "file" }, path: { type: "string" } }),
        object({ kind: { const: "text" }, body: { type: "string" } }),
      ],
    },
    input: { kind: "file" },
    "zod 3": z3.discriminatedUnion("kind", [
      z3.object({ kind: z3.literal("file"), path: z3.string() }),
      z3.object({ kind: z3.literal("text"), body: z3.string() }),
    ]),
    "zod 4": z4.discriminatedUnion("kind", [
      z4.object({ kind: z4.literal("file"), path: z4.string() }),
      z4.object({ kind: z4.literal("text"), body: z4.string() }),
    ]),
    valibot: v.variant("kind", [
      v.object({ kind: v.literal("file"), path: v.string() }),
      v.object({ kind: v.literal("text"), body: v.string() }),
    ]),
    arktype: type({ kind: "'file'", path: "string" }).or({ kind: "'text'", body: "string" }),
  },
  {
    rule: "union with a wrong discriminator",
    json: object({
      source: {
        oneOf: [
          object({ kind: { const: "file" }, path: { type: "string" }, line: { type: "integer" } }),
          object({ kind: { const: "text" }, body: { type: "string" } }),
        ],
      },
    }),
    input: { source: { kind: "document", path: "a.txt", line: "3" } },
    "zod 3": z3.object({
      source: z3.discriminatedUnion("kind", [
        z3.object({ kind: z3.literal("file"), path: z3.string(), line: z3.number().int() }),
        z3.object({ kind: z3.literal("text"), body: z3.string() }),
      ]),
    }),
    "zod 4": z4.object({
      source: z4.discriminatedUnion("kind", [
        z4.object({ kind: z4.literal("file"), path: z4.string(), line: z4.int() }),
        z4.object({ kind: z4.literal("text"), body: z4.string() }),
      ]),
    }),
    valibot: v.object({
      source: v.variant("kind", [
        v.object({
          kind: v.literal("file"),
          path: v.string(),
          line: v.pipe(v.number(), v.integer()),
        }),
        v.object({ kind: v.literal("text"), body: v.string() }),
      ]),
    }),
    arktype: type({
      source: type({ kind: "'file'", path: "string", line: "number.integer" }).or({
        kind: "'text'",
        body: "string",
      }),
    }),
  },
  {
    rule: "union with its discriminator missing",
    json: {
      oneOf: [
        object({ kind: { const: "file" }, path: { type: "string" } }),
        object({ kind: { const: "text" }, body: { type: "string" } }),
      ],
    },
    input: { body: "x" },
    "zod 3": z3.discriminatedUnion("kind", [
      z3.object({ kind: z3.literal("file"), path: z3.string() }),
      z3.object({ kind: z3.literal("text"), body: z3.string() }),
    ]),
    "zod 4": z4.discriminatedUnion("kind", [
      z4.object({ kind: z4.literal("file"), path: z4.string() }),
      z4.object({ kind: z4.literal("text"), body: z4.string() }),
    ]),
    valibot: v.variant("kind", [
      v.object({ kind: v.literal("file"), path: v.string() }),
      v.object({ kind: v.literal("text"), body: v.string() }),
    ]),
    arktype: type({ kind: "'file'", path: "string" }).or({ kind: "'text'", body: "string" }),
  },
  {
    rule: "union of objects",
    json: object({
      at: {
        anyOf: [
          object({ line: { type: "number" }, column: { type: "number" } }),
          object({ offset: { type: "number" } }),
        ],
      },
    }),
    input: { at: { line: "3", column: 1 } },
    "zod 3": z3.object({
      at: z3.union([
        z3.object({ line: z3.number(), column: z3.number() }),
        z3.object({ offset: z3.number() }),
      ]),
    }),
    "zod 4": z4.object({
      at: z4.union([
        z4.object({ line: z4.number(), column: z4.number() }),
        z4.object({ offset: z4.number() }),
      ]),
    }),
    valibot: v.object({
      at: v.union([
        v.object({ line: v.number(), column: v.number() }),
        v.object({ offset: v.number() }),
      ]),
    }),
    arktype: type({ at: type({ line: "number", column: "number" }).or({ offset: "number" }) }),
  },
  {
    rule: "union of types",
    json: object({ id: { anyOf: [{ type: "string" }, { type: "number" }] } }),
    input: { id: true },
    "zod 3": z3.object({ id: z3.union([z3.string(), z3.number()]) }),
    "zod 4": z4.object({ id: z4.union([z4.string(), z4.number()]) }),
    valibot: v.object({ id: v.union([v.string(), v.number()]) }),
    arktype: type({ id: "string | number" }),
  },
  {
    rule: "name of a record's field",
    json: object({
      headers: {
        type: "object",
        propertyNames: { type: "string", pattern: "^x-" },
        additionalProperties: { type: "string" },
      },
    }),
    input: { headers: { accept: "text" } },
    "zod 3": z3.object({ headers: z3.record(z3.string().regex(/^x-/), z3.string()) }),
    "zod 4": z4.object({ headers: z4.record(z4.string().regex(/^x-/), z4.string()) }),
    valibot: v.object({ headers: v.record(v.pipe(v.string(), v.regex(/^x-/)), v.string()) }),
    arktype: type({ headers: { "[/^x-/]": "string" } }),
    // An index signature lets other names pass.
    except: { arktype: [] },
  },
  {
    rule: "name out of a list of a record's fields",
    json: object({
      limits: {
        type: "object",
        propertyNames: { type: "string", enum: ["cpu", "memory"] },
        additionalProperties: { type: "number" },
      },
    }),
    input: { limits: { cpu: 1, memory: 2, disk: 3 } },
    "zod 3": z3.object({ limits: z3.record(z3.enum(["cpu", "memory"]), z3.number()) }),
    "zod 4": z4.object({ limits: z4.record(z4.enum(["cpu", "memory"]), z4.number()) }),
    valibot: v.object({ limits: v.record(v.picklist(["cpu", "memory"]), v.number()) }),
    arktype: type({ limits: { "[string]": "number" } }),
    // It has no record of listed names.
    except: { arktype: [] },
  },
  {
    rule: "value in a record",
    json: object({ counts: { type: "object", additionalProperties: { type: "number" } } }),
    input: { counts: { a: 1, b: "2" } },
    "zod 3": z3.object({ counts: z3.record(z3.number()) }),
    "zod 4": z4.object({ counts: z4.record(z4.string(), z4.number()) }),
    valibot: v.object({ counts: v.record(v.string(), v.number()) }),
    arktype: type({ counts: "Record<string, number>" }),
  },
  {
    rule: "null for an optional field",
    json: { type: "object", properties: { note: { type: "string" } } },
    input: { note: null },
    "zod 3": z3.object({ note: z3.string().optional() }),
    "zod 4": z4.object({ note: z4.string().optional() }),
    valibot: v.object({ note: v.optional(v.string()) }),
    arktype: type({ "note?": "string" }),
  },
  {
    rule: "wrong type where null would do",
    json: object({ note: { type: ["string", "null"] } }),
    input: { note: 7 },
    "zod 3": z3.object({ note: z3.string().nullable() }),
    "zod 4": z4.object({ note: z4.string().nullable() }),
    valibot: v.object({ note: v.nullable(v.string()) }),
    arktype: type({ note: "string | null" }),
  },
  {
    rule: "several faults at once",
    json: object({
      path: { type: "string", minLength: 1 },
      mode: { type: "integer", minimum: 0, maximum: 511 },
      encoding: { enum: ["utf-8", "ascii"] },
    }),
    input: { mode: "rw", encoding: "UTF8" },
    "zod 3": z3.object({
      path: z3.string().min(1),
      mode: z3.number().int().min(0).max(511),
      encoding: z3.enum(["utf-8", "ascii"]),
    }),
    "zod 4": z4.object({
      path: z4.string().min(1),
      mode: z4.int().min(0).max(511),
      encoding: z4.enum(["utf-8", "ascii"]),
    }),
    valibot: v.object({
      path: v.pipe(v.string(), v.nonEmpty()),
      mode: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(511)),
      encoding: v.picklist(["utf-8", "ascii"]),
    }),
    arktype: type({
      path: "string >= 1",
      mode: "0 <= number.integer <= 511",
      encoding: "'utf-8' | 'ascii'",
    }),
  },
];

/** arktype puts values, types and fields into an order of its own. */
function unordered(findings: readonly Told[]): readonly object[] {
  return findings.map(({ expected, ...rest }) => ({
    ...rest,
    words: expected?.match(/[^\s,]+/g)?.toSorted(),
  }));
}

describe.each(["zod 3", "zod 4", "valibot", "arktype"] as const)("%s", (library) => {
  test.each(RULES)("says of $rule what the JSON Schema form says", (rule) => {
    const compiled = cache.get(rule.json);
    expect(compiled.accepts(rule.input)).toBe(false);
    const wanted = told(compiled.explain(rule.input).findings);
    const found = toldBy(rule[library], rule.input);
    const expected = rule.except?.[library] ?? wanted;
    if (library === "arktype") expect(unordered(found)).toEqual(unordered(expected));
    else expect(found).toEqual(expected);
  });
});
