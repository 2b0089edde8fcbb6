import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { compileAjv } from "./ajv.ts";
import { explain, formatFindings } from "./index.ts";

/** A limit, a value of its type that breaks it, and the words that name it. */
interface Limit {
  readonly keyword: string;
  readonly type: string;
  readonly schema: object;
  readonly value: unknown;
  readonly named: string;
}

const count = fc.integer({ min: 2, max: 40 });
const number = fc.integer({ min: -500, max: 500 });
const word = fc.constantFrom("north", "south", "abc", "Xy-1");

function limit(
  keyword: string,
  type: string,
  of: fc.Arbitrary<Pick<Limit, "schema" | "value" | "named">>,
): readonly [string, fc.Arbitrary<Limit>] {
  return [keyword, of.map((one) => ({ keyword, type, ...one }))];
}

const items = (length: number): readonly string[] => Array.from({ length }, (_, at) => `i${at}`);
const fields = (length: number): object => Object.fromEntries(items(length).map((one) => [one, 1]));

const LIMITS = [
  limit(
    "minLength",
    "string",
    count.map((n) => ({ schema: { minLength: n }, value: "a", named: `at least ${n} char` })),
  ),
  limit(
    "maxLength",
    "string",
    count.map((n) => ({
      schema: { maxLength: n },
      value: "a".repeat(n + 1),
      named: `at most ${n} char`,
    })),
  ),
  limit(
    "pattern",
    "string",
    count.map((n) => ({
      schema: { pattern: `^[A-Z]{${n}}$` },
      value: "abc",
      named: `^[A-Z]{${n}}$`,
    })),
  ),
  limit(
    "format",
    "string",
    fc.constantFrom("date", "ipv4", "uuid").map((format) => ({
      schema: { format },
      value: "soon",
      named: format === "ipv4" ? "192.0.2.1" : format,
    })),
  ),
  limit(
    "enum",
    "string",
    word.map((one) => ({ schema: { enum: [one, "zz"] }, value: "q", named: `"${one}", "zz"` })),
  ),
  limit(
    "const",
    "string",
    word.map((one) => ({ schema: { const: one }, value: "q", named: `"${one}"` })),
  ),
  limit(
    "minimum",
    "number",
    number.map((n) => ({ schema: { minimum: n }, value: n - 1, named: `at least ${n}` })),
  ),
  limit(
    "maximum",
    "number",
    number.map((n) => ({ schema: { maximum: n }, value: n + 1, named: `at most ${n}` })),
  ),
  limit(
    "exclusiveMinimum",
    "number",
    number.map((n) => ({ schema: { exclusiveMinimum: n }, value: n, named: `above ${n}` })),
  ),
  limit(
    "exclusiveMaximum",
    "number",
    number.map((n) => ({ schema: { exclusiveMaximum: n }, value: n, named: `below ${n}` })),
  ),
  limit(
    "multipleOf",
    "number",
    count.map((n) => ({ schema: { multipleOf: n }, value: n * 7 + 1, named: `multiple of ${n}` })),
  ),
  limit(
    "minItems",
    "array",
    count.map((n) => ({ schema: { minItems: n }, value: ["a"], named: `at least ${n} item` })),
  ),
  limit(
    "maxItems",
    "array",
    count.map((n) => ({
      schema: { maxItems: n },
      value: items(n + 1),
      named: `at most ${n} item`,
    })),
  ),
  limit(
    "contains",
    "array",
    word.map((one) => ({ schema: { contains: { const: one } }, value: ["q"], named: `"${one}"` })),
  ),
  limit(
    "minProperties",
    "object",
    count.map((n) => ({
      schema: { minProperties: n },
      value: { a: 1 },
      named: `at least ${n} fi`,
    })),
  ),
  limit(
    "maxProperties",
    "object",
    count.map((n) => ({
      schema: { maxProperties: n },
      value: fields(n + 1),
      named: `at most ${n} f`,
    })),
  ),
  limit(
    "required",
    "object",
    word.map((one) => ({ schema: { required: [one] }, value: { a: 1 }, named: `/${one}` })),
  ),
] as const;

type Defs = Record<string, object>;
type Place = (type: string, schema: object, defs: Defs) => object;

/** Refers to a schema by a name of its own. */
function referred(schema: object, defs: Defs): object {
  const name = `d${Object.keys(defs).length}`;
  defs[name] = schema;
  return { $ref: `#/$defs/${name}` };
}

/** Where a limit may stand, however a converter or a person writes it. */
const PLACES: Readonly<Record<string, Place>> = {
  beside: (type, limits) => ({ type, ...limits }),
  untyped: (_, limits) => limits,
  "in a list of types": (type, limits) => ({ type: [type, "null"], ...limits }),
  "behind a reference": (type, limits, defs) => referred({ type, ...limits }, defs),
  "behind two": (type, limits, defs) => referred(referred({ type, ...limits }, defs), defs),
  "beside a reference": (type, limits, defs) => ({ ...referred({ type }, defs), ...limits }),
  "beside two": (type, limits, defs) => ({
    ...referred(referred({ type }, defs), defs),
    ...limits,
  }),
  "beside allOf of a reference": (type, limits, defs) => ({
    allOf: [referred({ type }, defs)],
    ...limits,
  }),
  "in allOf": (type, limits) => ({ type, allOf: [limits] }),
  "in allOf with its type": (type, limits) => ({ allOf: [{ type }, limits] }),
  "in allOf, referred": (type, limits, defs) => ({
    allOf: [{ description: "x" }, referred({ type, ...limits }, defs)],
  }),
  "in anyOf with null": (type, limits) => ({ anyOf: [{ type, ...limits }, { type: "null" }] }),
  "in anyOf, referred": (type, limits, defs) => ({
    anyOf: [referred({ type, ...limits }, defs), { type: "null" }],
  }),
  "in oneOf": (type, limits) => ({ oneOf: [{ type, ...limits }, { type: "boolean" }] }),
  "beside anyOf": (type, limits) => ({ anyOf: [{ type }, { type: "boolean" }], ...limits }),
  "beside oneOf": (type, limits) => ({ oneOf: [{ type }, { type: "null" }], ...limits }),
  "in then": (type, limits) => ({ type, if: { type }, then: limits }),
  "in else": (type, limits) => ({ type, if: { type: "boolean" }, else: limits }),
  "denied twice": (type, limits) => ({ type, not: { not: limits } }),
};

describe("a limit that was broken is in the text, wherever in the schema it stands", () => {
  test.each(LIMITS)("%s", (_, limits) => {
    const style = fc.constantFrom("compact" as const, "standard" as const);
    for (const [name, place] of Object.entries(PLACES))
      fc.assert(
        fc.property(limits, style, fc.boolean(), ({ type, schema, value, named }, as, judges) => {
          const defs: Defs = {};
          const field = place(type, schema, defs);
          const whole = { type: "object", properties: { f: field }, $defs: defs };
          const findings = explain(whole, { f: value }, judges ? { compileJudge: compileAjv } : {});
          expect(`${name}: ${formatFindings(findings, { style: as })}`).toContain(named);
        }),
        { numRuns: 3 },
      );
  });

  test("a limit beside a narrower one", () => {
    const both = {
      type: "integer",
      minimum: 10,
      exclusiveMinimum: 3,
      maximum: 20,
      exclusiveMaximum: 29,
    };
    expect(lines(both, 4)).toEqual(["- (arguments) (VAL-003): 4; expected integer from 10 to 20"]);
    const over = {
      $ref: "#/$defs/n",
      maximum: 50,
      $defs: { n: { type: "integer", maximum: 2 ** 53 - 1 } },
    };
    expect(lines(over, 200)).toEqual(["- (arguments) (VAL-003): 200; expected integer at most 50"]);
  });
});

function lines(schema: object, value: unknown): readonly string[] {
  return formatFindings(explain(schema as never, value), { style: "compact" }).split("\n");
}

describe("zod writes the limits of a schema with a name beside a reference", () => {
  const Name = z.string().meta({ id: "Name" });
  const Size = z.number().int().meta({ id: "Size" });
  test.each([
    ["a length", z.object({ a: Name.min(5), b: Name }), { a: "abc", b: "x" }, "at least 5 char"],
    ["a number", z.object({ a: Size.max(50), b: Size }), { a: 200, b: 1 }, "at most 50"],
    ["a step", z.object({ a: Size.multipleOf(5), b: Size }), { a: 3, b: 1 }, "a multiple of 5"],
    ["a pattern", z.object({ a: Name.regex(/^x_/), b: Name }), { a: "y", b: "x" }, "matching ^x_"],
  ])("%s", (_, schema, value, named) => {
    expect(formatFindings(explain(schema, value))).toContain(named);
    const json = z.toJSONSchema(schema, { io: "input" });
    expect(formatFindings(explain(json as never, value))).toContain(named);
  });

  test("a JSON Schema that is looser than the validator does not hide the validator's limit", () => {
    const validator = z.object({ a: z.string().max(5), n: z.number().max(3) });
    const described = { properties: { a: { type: "string", maxLength: 9 }, n: { maximum: 7 } } };
    const both = {
      "~standard": { ...validator["~standard"], jsonSchema: { input: () => described } },
    };
    const text = formatFindings(explain(both, { a: "x".repeat(20), n: 9 }));
    expect(text).toContain("at most 5 characters");
    expect(text).toContain("at most 3");
  });
});
