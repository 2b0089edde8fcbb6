import { compileAjv } from "../../ajv/index.ts";
import type { SchemaObject } from "../../shared/index.ts";
import { engineOf } from "../../testing/engine.ts";
import { anySchema, anyValue, anyWeb } from "../../testing/any-schema.ts";
import { hasCircle, indexSchema, multipliesWork } from "../document/index.ts";
import { compilePattern } from "../pattern/index.ts";
import { compileSchema } from "./compile-schema.ts";
import { interpret } from "./interpret.ts";
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

/** Ways to judge by a schema: walking it with a memory and without, and ajv, where it reads the schema; undefined if it cannot tell. */
function judgesOf(schema: SchemaObject): readonly ((value: unknown) => unknown)[] {
  const index = indexSchema(schema, "2020-12");
  const services = {
    matchesPattern: (source: string, text: string) => compilePattern(source).test(text),
    matchesFormat: () => true,
  };
  const walks = [true, false].map(
    (remembers) => (value: unknown) => interpret(index, value, { ...services, remembers }),
  );
  const json = JSON.stringify(schema);
  try {
    const judge = compileAjv(schema, "2020-12", json, compilePattern);
    return json.includes('"contains"') ? walks : [...walks, (value) => judge.accepts(value)];
  } catch {
    return walks;
  }
}

test("a walk with a memory, one without, and ajv agree on schemas that lead to one place in many ways", () => {
  let repeating = 0;
  fc.assert(
    fc.property(anyWeb, fc.array(anyValue, { minLength: 1, maxLength: 5 }), (schema, samples) => {
      const index = indexSchema(schema, "2020-12");
      fc.pre(!hasCircle(index));
      if (multipliesWork(index)) repeating += 1;
      const compiled = compileSchema(schema, JSON.stringify(schema), engineOf(false));
      const judges = judgesOf(schema);
      for (const sample of samples) {
        const [verdict, ...others] = judges.map((judge) => judge(sample));
        for (const other of others) expect(other ?? verdict).toBe(verdict);
        if (compiled.warnings.size > 0) continue;
        expect(compiled.accepts(sample)).toBe(verdict);
        if (verdict !== true) expect(compiled.explain(sample).findings.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: 150 },
  );
  expect(repeating).toBeGreaterThan(20);
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
