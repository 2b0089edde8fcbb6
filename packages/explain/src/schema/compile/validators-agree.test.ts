import { engineOf } from "../../testing/engine.ts";
import { anySchema, anyValue } from "../../testing/any-schema.ts";
import { compileSchema } from "./compile-schema.ts";
import { isWhole } from "@toolcontract/case-table/whole";
import fc from "fast-check";
import { expect, test } from "vitest";

test("the interpreter and ajv agree, and every invalid value is explained", () => {
  fc.assert(
    fc.property(
      anySchema,
      fc.array(anyValue, { minLength: 1, maxLength: 5 }),
      (schema, samples) => {
        const text = JSON.stringify(schema);
        const compiled = compileSchema(schema, text, engineOf(false));
        const interpreted = compileSchema(schema, text, engineOf(true));
        for (const sample of samples) {
          const valid = compiled.accepts(sample);
          expect(interpreted.accepts(sample)).toBe(valid);
          if (!valid) expect(compiled.explain(sample)).toEqual(interpreted.explain(sample));
          if (!valid) expect(interpreted.explain(sample).findings.length).toBeGreaterThan(0);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test("walking the schema goes through all of a large value", () => {
  const items = Array.from({ length: 310_000 }, () => 1);
  const schema = { type: "array", items: { type: "integer" } };
  const interpreted = compileSchema(schema, JSON.stringify(schema), engineOf(true));
  expect(interpreted.accepts(items)).toBe(true);
  expect(interpreted.accepts([...items, "1"])).toBe(false);
});

test.for(isWhole ? [150_000] : [30_000])("a schema of %i properties is enforced", (length) => {
  const names = Array.from({ length }, (_, index) => `p${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: "integer" }]));
  const schema = { type: "object", properties };
  const interpreted = compileSchema(schema, JSON.stringify(schema), engineOf(true));
  expect([...interpreted.warnings]).toEqual([]);
  expect([interpreted.accepts({ p7: 1 }), interpreted.accepts({ p7: "1" })]).toEqual([true, false]);
});
