import { createContract, type JsonSchema, type ValidationError } from "@toolcontract/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { followHints } from "./follow-hints.ts";
import { valueAt } from "./json-pointer.ts";

const contract = createContract({ interpreter: true, logger: false });

const words = fc.constantFrom("temperature", "humidity", "Temperatur", "True", "5", "none", "");
const scalars = fc.oneof(words, fc.constantFrom<unknown>(0, 1, 5, 1.5, true, false, null));
const values = fc.oneof(
  scalars,
  fc.array(scalars, { maxLength: 3 }),
  fc.constantFrom<unknown>("['temperature']", '["humidity"]', "1, 2", "temperature, humidity"),
  fc.record({ value: scalars }),
  fc.record({ value: fc.array(scalars, { maxLength: 2 }) }),
);
const types = fc.constantFrom("string", "integer", "number", "boolean", "array", "object", "null");
/** Keywords that may contradict each other. */
const keywords = fc.record(
  {
    type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 2 })),
    enum: fc.array(scalars, { minLength: 1, maxLength: 3 }),
    const: scalars,
    items: fc.record(
      { type: types, enum: fc.array(scalars, { minLength: 1 }) },
      { requiredKeys: [] },
    ),
    minItems: fc.constantFrom(0, 2),
    minLength: fc.constantFrom(1, 12),
    maximum: fc.constantFrom(0, 3),
    pattern: fc.constantFrom("^[A-Z]", "^[a-z]+$", "^T"),
    format: fc.constantFrom("date", "date-time"),
  },
  { requiredKeys: [] },
);
const fields = fc.oneof(
  { weight: 3, arbitrary: keywords },
  fc.record(
    { allOf: fc.array(keywords, { minLength: 1, maxLength: 2 }), type: types },
    { requiredKeys: ["allOf"] },
  ),
  fc.record(
    {
      anyOf: fc.array(keywords, { minLength: 1, maxLength: 2 }),
      enum: fc.array(scalars, { minLength: 1 }),
    },
    { requiredKeys: ["anyOf"] },
  ),
  fc.record({ not: keywords, type: types }, { requiredKeys: ["not"] }),
);
const schemas = fc.record({
  type: fc.constant("object"),
  properties: fc.record({ metrics: fields, unit: fields }),
  required: fc.subarray(["metrics", "unit"]),
  additionalProperties: fc.boolean(),
});
const calls = fc.record({ metrics: values, unit: values, metric: values }, { requiredKeys: [] });

function errorsOf(inputSchema: JsonSchema, args: unknown): readonly ValidationError[] {
  const checked = contract.check({ name: "measure", inputSchema }, args);
  return checked.status === "valid" ? [] : checked.errors;
}

test("following a hint never leaves its error at its place, and never sends a value that is refused there", () => {
  let hints = 0;
  fc.assert(
    fc.property(schemas, calls, (schema, args) => {
      const errors = errorsOf(schema, args);
      const moves = errors.filter(({ hint }) => hint?.startsWith("rename") === true);
      // What is under a misspelt name is reported under the right one.
      const named = moves.length > 0 ? followHints(args, moves) : args;
      for (const error of errors) {
        if (error.hint === undefined) continue;
        const next = moves.includes(error) ? named : followHints(named, [error]);
        // Some hints only advise.
        if (next === named && !moves.includes(error)) continue;
        const namesValue =
          !/^rename|^move/.test(error.hint) && valueAt(next, error.fieldPath) !== undefined;
        const left = errorsOf(schema, next).filter(
          ({ errorCode, fieldPath, actualValue }) =>
            fieldPath === error.fieldPath &&
            (namesValue || (errorCode === error.errorCode && actualValue === error.actualValue)),
        );
        hints += 1;
        expect([error.hint, left]).toEqual([error.hint, []]);
      }
    }),
    { numRuns: 1_000 },
  );
  expect(hints).toBeGreaterThan(30);
});
