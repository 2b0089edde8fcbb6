import { describe } from "./describe.ts";
import { isSensitive } from "./sensitive.ts";
import type { Location, Outcome, SchemaRecord, Walk } from "./walk.ts";

/** `minimum`, `maximum`, their exclusive forms and `multipleOf`. */
export function checkNumber(
  walk: Walk,
  location: Location,
  schema: SchemaRecord,
  outcome: Outcome,
): void {
  const { value, path } = location;
  if (typeof value !== "number" || !isOutOfRange(schema, value)) return;
  outcome.findings.push({
    code: "VAL-003",
    path,
    expected: describe(walk.index, schema, location.base),
    actual: { value },
    sensitive: isSensitive(schema),
  });
}

function isOutOfRange(schema: SchemaRecord, value: number): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  return (
    (typeof minimum === "number" &&
      (value < minimum || (exclusiveMinimum === true && value === minimum))) ||
    (typeof maximum === "number" &&
      (value > maximum || (exclusiveMaximum === true && value === maximum))) ||
    (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum) ||
    (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum) ||
    (typeof multipleOf === "number" && !isMultiple(value, multipleOf))
  );
}

/** Tells whether a number is a multiple of another, decimals like 19.99 and 0.01 included. */
export function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  return Math.abs(Math.round(times) - times) <= Math.abs(times) * 2 * Number.EPSILON;
}
