import { engineOf } from "../../testing/engine.ts";
import { anySchema, anyValue } from "../../testing/any-schema.ts";
import { type JsonSchema, isRecord } from "../../shared/index.ts";
import { compileSchema } from "./compile-schema.ts";
import type { CompiledSchema } from "./compiled-schema.ts";
import fc from "fast-check";
import { expect, test } from "vitest";

/** Stands for the same list or map with a first member that is not a schema. */
const MEMBER = Symbol("member");

// No misspelling with a meaning, and nothing that an older dialect reads.
const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  type: ["strng", 12, {}, ["string", 5], null],
  enum: ["a", 1, {}],
  minimum: ["3", null],
  exclusiveMaximum: ["3", null],
  multipleOf: ["2", {}],
  minLength: ["3", -1],
  maxLength: ["3", -1],
  pattern: [5, {}, "(?>a)"],
  properties: [["a"], "a", MEMBER],
  required: ["a", [1], {}],
  additionalProperties: ["false", 0],
  patternProperties: ["^k", MEMBER, { "(?>a)": false }],
  minProperties: ["1"],
  propertyNames: ["a"],
  dependentRequired: [{ a: "b" }, "a"],
  dependentSchemas: [["a"], MEMBER],
  items: ["string", 5],
  prefixItems: [{ 0: {} }, MEMBER],
  contains: ["a", 5],
  minContains: ["0"],
  maxContains: ["5"],
  uniqueItems: ["true"],
  allOf: [{ type: "string" }, MEMBER],
  anyOf: [{ type: "string" }, MEMBER],
  oneOf: [{ type: "string" }, MEMBER],
  not: ["string", 5],
  if: ["string", 5],
  then: ["string", 5],
  else: ["string", 5],
};

type Holder = Record<string, unknown>;

/** Every keyword of a schema that can be broken, and the object that holds it. */
function keywordsIn(value: unknown): readonly (readonly [Holder, string])[] {
  if (Array.isArray(value)) return value.flatMap(keywordsIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(Object.hasOwn(WRONG, key) ? [[value, key] as const] : []),
    ...(key === "enum" || key === "const" ? [] : keywordsIn(inner)),
  ]);
}

interface Broken {
  readonly broken: JsonSchema;
  /** The same without the broken keywords. */
  readonly without: JsonSchema;
}

function breakSchema(
  schema: JsonSchema,
  picks: readonly number[],
  wrongs: readonly number[],
): Broken {
  const broken = structuredClone(schema);
  const without = structuredClone(schema);
  const places = keywordsIn(broken);
  const twins = keywordsIn(without);
  for (const [turn, pick] of picks.entries()) {
    const [holder, keyword] = places[pick % places.length] ?? [];
    const [twin] = twins[pick % twins.length] ?? [];
    if (holder === undefined || keyword === undefined || twin === undefined) continue;
    const options = WRONG[keyword] ?? [];
    const wrong = options[(wrongs[turn] ?? 0) % options.length];
    holder[keyword] = wrong === MEMBER ? withBadMember(holder[keyword]) : wrong;
    // Of a list or map, only the member is left out.
    if (wrong !== MEMBER) Reflect.deleteProperty(twin, keyword);
  }
  return { broken, without };
}

function withBadMember(whole: unknown): unknown {
  if (Array.isArray(whole)) return ["string", ...(whole as readonly unknown[]).slice(1)];
  if (!isRecord(whole)) return whole;
  const [first] = Object.keys(whole);
  return first === undefined ? whole : { ...whole, [first]: "string" };
}

function compile(schema: JsonSchema, interpreter = false): CompiledSchema {
  return compileSchema(schema, JSON.stringify(schema), engineOf(interpreter));
}

const numbers = fc.array(fc.nat(), { minLength: 1, maxLength: 3 });

test("what a schema accepts, with or without a keyword, it accepts with that keyword broken", () => {
  let enforced = 0;
  fc.assert(
    fc.property(
      anySchema,
      numbers,
      numbers,
      fc.array(anyValue, { minLength: 1, maxLength: 6 }),
      (schema, picks, wrongs, samples) => {
        const { broken, without } = breakSchema(schema, picks, wrongs);
        const fine = [compile(schema), compile(without)];
        const repaired = [compile(broken), compile(broken, true)];
        for (const sample of samples) {
          const isFine = fine.some((one) => one.accepts(sample));
          for (const one of repaired) {
            const verdict = one.accepts(sample);
            if (isFine) expect(verdict).toBe(true);
            if (!verdict) enforced += 1;
          }
        }
      },
    ),
    { numRuns: 300 },
  );
  // Leaving everything out would pass too.
  expect(enforced).toBeGreaterThan(100);
});
