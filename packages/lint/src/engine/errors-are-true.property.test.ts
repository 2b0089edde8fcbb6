import { isWhole } from "@toolcontract/case-table/whole";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readTools } from "../input/index.ts";
import { valueAt } from "../shared/index.ts";
import { lintTools } from "./index.ts";

const scalar = fc.oneof(
  fc.constantFrom("a", "b", "5", ""),
  fc.integer({ min: -2, max: 4 }),
  fc.boolean(),
  fc.constant(null),
  fc.constant([]),
  fc.constant(["a"]),
  fc.constant({}),
  fc.constant({ a: 1 }),
);
const count = fc.integer({ min: 0, max: 3 });
const type = fc.constantFrom("string", "number", "integer", "boolean", "null", "array", "object");

const { schema: anySchema } = fc.letrec<{ schema: unknown }>((tie) => {
  const inner = fc.oneof({ maxDepth: 2 }, fc.constant({}), tie("schema"));
  const keywords = fc.record(
    {
      type: fc.oneof(
        type,
        fc.array(type, { minLength: 1, maxLength: 2 }).map((all) => [...new Set(all)]),
      ),
      enum: fc.uniqueArray(scalar, {
        minLength: 1,
        maxLength: 3,
        comparator: (a, b) => JSON.stringify(a) === JSON.stringify(b),
      }),
      const: scalar,
      default: scalar,
      minimum: fc.integer({ min: -2, max: 4 }),
      maximum: fc.integer({ min: -2, max: 4 }),
      exclusiveMinimum: fc.integer({ min: -2, max: 4 }),
      minLength: count,
      maxLength: count,
      minItems: count,
      maxItems: count,
      maxProperties: count,
      required: fc.uniqueArray(fc.constantFrom("a", "b", "c"), { maxLength: 2 }),
      properties: fc.dictionary(fc.constantFrom("a", "b"), inner, { maxKeys: 2 }),
      additionalProperties: fc.boolean(),
      items: inner,
      allOf: fc.array(inner, { minLength: 1, maxLength: 2 }),
      anyOf: fc.array(inner, { minLength: 1, maxLength: 2 }),
      oneOf: fc.array(inner, { minLength: 1, maxLength: 2 }),
      not: inner,
      $ref: fc.constant("#/$defs/x"),
    },
    { requiredKeys: [] },
  );
  return { schema: keywords };
});

const PROVEN = new Set(["no-value-passes", "default-invalid"]);
/** Without the meta-schemas, which take longer than all that is compared. */
const ajv = (): Ajv2020 =>
  new Ajv2020({
    strict: false,
    logger: false,
    validateFormats: false,
    meta: false,
    validateSchema: false,
  });

const VALUES = fc.sample(
  fc.oneof(
    scalar,
    fc.jsonValue({ maxDepth: 2 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), scalar),
  ),
  {
    numRuns: 60,
    seed: 7,
  },
);

test("no generated value passes where no value passes, and every default that is refused is", () => {
  let contradictions = 0;
  let defaults = 0;
  fc.assert(
    fc.property(anySchema, (given) => {
      const root = { ...(given as object), $defs: { x: { type: "string" } } };
      const { findings } = lintTools(
        readTools({ name: "t", description: "t", inputSchema: root }),
        { grade: false },
      );
      const proven = findings.filter(({ rule }) => PROVEN.has(rule));
      if (proven.length === 0) return;
      const validator = ajv();
      try {
        validator.addSchema(root, "root");
        validator.compile({ $ref: "root#" });
      } catch {
        return;
      }
      const validatorAt = (path: string) =>
        validator.compile({ $ref: `root#${path.slice("/inputSchema".length)}` });
      for (const { rule, path } of proven) {
        if (rule === "no-value-passes") {
          contradictions += 1;
          const accepts = validatorAt(path);
          expect(VALUES.filter((value) => accepts(value))).toEqual([]);
        }
        if (rule !== "default-invalid") continue;
        defaults += 1;
        const accepts = validatorAt(path.slice(0, -"/default".length));
        expect(accepts(valueAt({ inputSchema: root }, path))).toBe(false);
      }
    }),
    { numRuns: isWhole ? 100 : 30 },
  );
  expect(contradictions).toBeGreaterThan(10);
  expect(defaults).toBeGreaterThan(10);
});

test("any document is read and linted without a crash", () => {
  const word = fc.constantFrom(
    "name",
    "inputSchema",
    "tools",
    "function",
    "type",
    "parameters",
    "properties",
    "enum",
    "default",
    "$ref",
    "allOf",
    "items",
    "description",
  );
  const { document } = fc.letrec((tie) => ({
    document: fc.oneof(
      { maxDepth: 5 },
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie("document"), { maxLength: 3 }),
      fc.dictionary(word, tie("document"), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(document, (value) => {
      const { findings, tools } = lintTools(readTools(value));
      expect(findings.every(({ message }) => message !== "")).toBe(true);
      expect(tools.every(({ grade }) => "ABCDF".includes(grade))).toBe(true);
    }),
  );
});
