import fc from "fast-check";
import type { JsonSchema, SchemaObject } from "../shared/index.ts";

const scalars = fc.oneof(
  fc.constantFrom<unknown>("a", "b", "abc", "", "5", 0, 1, 5, 1.5, -1, true, false, null),
  fc.string({ maxLength: 6 }),
  fc.integer({ min: -10, max: 10 }),
);
const names = fc.constantFrom("a", "b", "kind", "toString");

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalars,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(names, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/** Any JSON value, of few names and scalars, so that schemas often accept it. */
export const anyValue: fc.Arbitrary<unknown> = value;

const bounds = fc.integer({ min: 0, max: 4 });
const { schema } = fc.letrec<{
  schema: JsonSchema;
}>((tie) => {
  const list = fc.array(tie("schema"), { minLength: 1, maxLength: 3 });
  const fields = fc.dictionary(names, tie("schema"), { maxKeys: 3, noNullPrototype: true });
  const keywords: readonly fc.Arbitrary<Record<string, unknown>>[] = [
    fc.record({ type: fc.oneof(types(), fc.uniqueArray(types(), { minLength: 1, maxLength: 3 })) }),
    fc.record({ enum: fc.array(scalars, { minLength: 1, maxLength: 3 }) }),
    fc.record({ const: anyValue }),
    fc.record({ minimum: bounds, exclusiveMaximum: bounds }),
    fc.record({ multipleOf: fc.constantFrom(1, 2, 0.5) }),
    fc.record({ minLength: bounds, maxLength: bounds }),
    fc.record({ pattern: fc.constantFrom("^a", "b$", "^[a-z]+$") }),
    fc.record({ properties: fields, required: fc.uniqueArray(names, { maxLength: 2 }) }),
    fc.record({ properties: fields, additionalProperties: tie("schema") }),
    fc.record({ patternProperties: fc.record({ "^k": tie("schema") }), minProperties: bounds }),
    fc.record({ propertyNames: tie("schema") }),
    fc.record({ dependentRequired: fc.record({ a: fc.constant(["b"]) }) }),
    fc.record({ dependentSchemas: fc.record({ kind: tie("schema") }) }),
    fc.record({ items: tie("schema"), minItems: bounds }),
    fc.record({ prefixItems: list, items: tie("schema") }),
    fc.record({
      contains: tie("schema"),
      minContains: fc.constantFrom(0, 1),
      maxContains: fc.constantFrom(1, 2),
    }),
    fc.record({ uniqueItems: fc.constant(true) }),
    fc.record({ allOf: list }),
    fc.record({ anyOf: list }),
    fc.record({ oneOf: list }),
    fc.record({ not: tie("schema") }),
    fc.record(Object.fromEntries(["if", "then", "else"].map((key) => [key, tie("schema")]))),
  ];
  const objects = fc
    .array(fc.oneof(...keywords), { minLength: 1, maxLength: 3 })
    .map((parts) => Object.assign({}, ...parts) as JsonSchema);
  return { schema: fc.oneof({ maxDepth: 3, withCrossShrink: true }, fc.boolean(), objects) };
});

/** Any well-formed schema of the current dialect. */
export const anySchema: fc.Arbitrary<JsonSchema> = schema;

const DEFINED = ["d0", "d1", "d2", "d3"];
const reference = fc.record({ $ref: fc.constantFrom(...DEFINED.map((name) => `#/$defs/${name}`)) });

/** A part that looks into the value before it refers to another. */
const inward = fc.oneof(
  fc.record({ properties: fc.dictionary(names, reference, { minKeys: 1, noNullPrototype: true }) }),
  fc.record({ properties: fc.record({ a: reference }), required: fc.constant(["a"]) }),
  fc.record({ properties: fc.record({ kind: fc.record({ const: scalars }), a: reference }) }),
  fc.record({ items: reference }),
  fc.record({ prefixItems: fc.tuple(reference, reference), items: reference }),
  fc.record({ patternProperties: fc.record({ "a|k": reference }) }),
  fc.record({ additionalProperties: reference }),
  fc.record({ type: types() }),
);
const part: fc.Arbitrary<JsonSchema> = fc.oneof(reference, inward, inward, inward, anySchema);
const parts = fc.array(part, { minLength: 2, maxLength: 4 });
const definition = fc.oneof(
  fc.record({ allOf: parts }),
  fc.record({ anyOf: parts }),
  fc.record({ oneOf: parts }),
  fc.record({ not: part }),
  fc.record(Object.fromEntries(["if", "then", "else"].map((key) => [key, part]))),
  fc.record({ dependentSchemas: fc.record({ a: part }), properties: fc.record({ a: reference }) }),
);

/** Any schema whose definitions refer to each other and to themselves, also twice for one place. */
export const anyWeb: fc.Arbitrary<SchemaObject> = fc
  .tuple(reference, fc.record(Object.fromEntries(DEFINED.map((name) => [name, definition]))))
  .map(([root, $defs]) => ({ ...root, $defs }));

function types(): fc.Arbitrary<string> {
  return fc.constantFrom("string", "integer", "number", "boolean", "null", "array", "object");
}
