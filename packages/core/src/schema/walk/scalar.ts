import { allowedValues, expectationOf, hintForType, hintForValue } from "../facts/index.ts";
import { isSensitive } from "../document/index.ts";
import {
  type ErrorCode,
  jsonEqual,
  matchesType,
  typesOf,
  type SchemaObject,
} from "../../shared/index.ts";
import { type Location, type Outcome, type Walk, passes } from "./walk.ts";

/** `type`, `enum` and `const`; a wrong type says all there is to say about a value. */
export function checkType(
  walk: Walk,
  location: Location,
  schema: SchemaObject,
  outcome: Outcome,
): void {
  const types = typesOf(schema);
  const allowed = allowedValues(schema);
  const { value, path } = location;
  if (types.length > 0 && !types.some((type) => matchesType(value, type))) {
    const { fixed, ...hint } = hintForType(types, schema, location, allowed);
    const isRepaired = (repaired: Outcome): boolean =>
      passes(repaired) ||
      (fixed?.isDeep === true &&
        repaired.findings.every((found) => found.path.length > path.length + 1));
    const helps =
      fixed === undefined || isRepaired(walk.visit({ ...location, value: fixed.value }));
    outcome.findings.push({
      code: "VAL-002",
      path,
      // Nothing else of it was checked, so everything that it must be is shown.
      expected:
        allowed && helps && hint.hint?.kind === "use"
          ? { kind: "values", values: allowed, brief: true }
          : expectationOf(walk.index, schema, location.base, { withPattern: "alone" }),
      actual: { value },
      sensitive: isSensitive(schema),
      ...(helps ? hint : {}),
    });
    // What the string holds is checked as well, so that one more turn is enough.
    if (hint.nested) {
      const inner = walk.visit({
        ...location,
        value: hint.nested.value,
        depth: location.depth + 1,
      });
      outcome.findings.push(...inner.findings);
    }
    return;
  }
  if (!allowed || allowed.some((candidate) => jsonEqual(candidate, value))) return;
  const near = hintForValue(allowed, value);
  outcome.findings.push({
    code: "VAL-008",
    path,
    expected:
      near.hint === undefined
        ? expectationOf(walk.index, schema, location.base)
        : { kind: "values", values: allowed, brief: true },
    actual: { value },
    sensitive: isSensitive(schema),
    ...(value === null && location.optional ? { hint: { kind: "leave-out" } } : near),
  });
}

/** `minimum`, `maximum`, their exclusive forms and `multipleOf`. */
export function checkNumber(
  walk: Walk,
  location: Location,
  schema: SchemaObject,
  outcome: Outcome,
): void {
  const { value, path } = location;
  if (typeof value !== "number" || !isOutOfRange(schema, value)) return;
  outcome.findings.push({
    code: "VAL-003",
    path,
    expected: expectationOf(walk.index, schema, location.base),
    actual: { value },
    sensitive: isSensitive(schema),
  });
}

function isOutOfRange(schema: SchemaObject, value: number): boolean {
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

/** `minLength`, `maxLength`, `format` and `pattern`; a pattern is named only where it failed, and not beside a format. */
export function checkString(
  walk: Walk,
  location: Location,
  schema: SchemaObject,
  outcome: Outcome,
): void {
  const { value, path } = location;
  const { pattern } = schema;
  const isText = typeof value === "string";
  // Formats of numbers exist (`int32`); everything else here is about text.
  const format = failsFormat(walk, schema, value);
  const withPattern =
    isText && !format && typeof pattern === "string" && !walk.matchesPattern(pattern, value);
  if (format) add("VAL-010");
  else if (isText && failsLength(schema, value)) add("VAL-009");
  else if (withPattern) add("VAL-007");

  function add(code: ErrorCode): void {
    outcome.findings.push({
      code,
      path,
      expected: expectationOf(walk.index, schema, location.base, { withPattern }),
      actual: { value },
      sensitive: isSensitive(schema),
    });
  }
}

function failsFormat(walk: Walk, schema: SchemaObject, value: unknown): boolean {
  const { format } = schema;
  return typeof format === "string" && !walk.matchesFormat(format, value);
}

function failsLength(schema: SchemaObject, text: string): boolean {
  const { minLength, maxLength } = schema;
  const min = typeof minLength === "number" ? minLength : 0;
  const max = typeof maxLength === "number" ? maxLength : Infinity;
  // UTF-16 units bound the code points from both sides, so most texts need no counting.
  if (text.length <= max && text.length >= min * 2) return false;
  if (text.length < min || text.length > max * 2) return true;
  const length = codePoints(text);
  return length < min || length > max;
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
