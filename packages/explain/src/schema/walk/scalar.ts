import {
  type ErrorCode,
  type Finding,
  type SchemaObject,
  jsonEqual,
  matchesType,
  typesOf,
} from "../../shared/index.ts";
import { isSensitive } from "../document/index.ts";
import {
  allowedValues,
  brokenLimit,
  closestOf,
  expectationOf,
  hintForCase,
  hintForFormat,
  hintForItems,
  hintForType,
  hintForValue,
  isNothing,
} from "../hints/index.ts";
import { pathOfPlace } from "./place.ts";
import { reportFinding } from "./report.ts";
import { type WalkOutcome, type Visit, holding, passes } from "./walk.ts";

/** Checks `type`, `enum` and `const`. */
export function checkType(visit: Visit): void {
  const { location, schema } = visit;
  const { value } = location;
  const types = typesOf(schema);
  const allowed = allowedValues(schema);
  if (types.length > 0 && !types.some((type) => matchesType(value, type)))
    reportFinding(visit, "VAL-002", () => mistypedValue(visit, types, allowed));
  else if (allowed && !allowed.some((candidate) => jsonEqual(candidate, value)))
    reportFinding(visit, "VAL-008", () => unlistedValue(visit, allowed));
}

function unlistedValue({ walk, location, schema }: Visit, allowed: readonly unknown[]): Finding {
  const { value, base, optional } = location;
  const hinted = hintForValue(allowed, value);
  return {
    code: "VAL-008",
    path: pathOfPlace(location),
    expected:
      allowed.length === 0
        ? expectationOf(walk.index, schema, base)
        : {
            kind: "values",
            values: allowed,
            ...closestOf(value, allowed),
            ...(hinted.hint !== undefined && { brief: true }),
          },
    actual: { value },
    sensitive: isSensitive(schema),
    ...(optional && hinted.hint === undefined && isEmptyValue(value)
      ? { hint: { kind: "leave-out" } }
      : hinted),
  };
}

/** Whether a value means "no value". */
function isEmptyValue(value: unknown): boolean {
  return value === null || (typeof value === "string" && isNothing(value));
}

function mistypedValue(
  { walk, location, schema }: Visit,
  types: readonly string[],
  allowed: readonly unknown[] | undefined,
): readonly Finding[] {
  const { value, base, optional } = location;
  const path = pathOfPlace(location);
  const whole = hintForType(types, schema, { value, path, optional }, allowed);
  const isList = whole.hint === undefined && types.includes("array");
  const { fixed, ...hinted } = isList ? hintForItems(schema, value) : whole;
  // An item that lacks a field of its own is hardly the item that was meant.
  const isFurtherIn = (found: Finding): boolean =>
    found.path.length > path.length + (found.code === "VAL-001" ? 2 : 1);
  const isRepaired = (repaired: WalkOutcome): boolean =>
    passes(repaired) || (fixed?.isDeep === true && repaired.findings.every(isFurtherIn));
  const isFraction = typeof value === "number" && types.every((type) => type === "integer");
  const helps = fixed === undefined || isRepaired(walk.visit(holding(location, fixed.value)));
  const wrong: Finding = {
    code: "VAL-002",
    path,
    ...(isFraction && { reason: { kind: "fraction" } }),
    // Nothing else of it was checked, so everything that it must be is shown.
    expected:
      allowed && helps && hinted.hint?.kind === "use"
        ? { kind: "values", values: allowed, brief: true }
        : expectationOf(walk.index, schema, base, { withPattern: "alone" }),
    actual: { value },
    sensitive: isSensitive(schema),
    ...(helps ? hinted : {}),
  };
  // The JSON in a string is checked as well, so that one more turn is enough.
  if (!hinted.nested) return [wrong];
  return [wrong, ...walk.visit(holding(location, hinted.nested.value)).findings];
}

/** Checks `minimum`, `maximum`, their exclusive forms and `multipleOf`. */
export function checkNumber(visit: Visit): void {
  const { walk, location, schema } = visit;
  const { value, base } = location;
  if (typeof value !== "number") return;
  const broken = brokenLimit(schema, value);
  const { multipleOf } = schema;
  const fitsStep = typeof multipleOf !== "number" || isMultiple(value, multipleOf);
  if (broken === undefined && fitsStep) return;
  reportFinding(visit, "VAL-003", () => ({
    code: "VAL-003",
    path: pathOfPlace(location),
    expected: expectationOf(walk.index, schema, base, { broken }),
    actual: { value },
    sensitive: isSensitive(schema),
  }));
}

/** Whether a number is a multiple of another, even if binary fractions are inexact (19.99 and 0.01). */
export function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  return Math.abs(Math.round(times) - times) <= Math.abs(times) * 2 * Number.EPSILON;
}

/** Checks `format`, `minLength`, `maxLength` and `pattern`; a pattern is shown only if it failed without a format. */
export function checkString(visit: Visit): void {
  const { walk, location, schema } = visit;
  const { value, base } = location;
  const { format, pattern } = schema;
  const isString = typeof value === "string";
  // Numbers have formats too (`int32`).
  const failsFormat = typeof format === "string" && !walk.matchesFormat(format, value);
  const failsPattern =
    isString && !failsFormat && typeof pattern === "string" && !walk.matchesPattern(pattern, value);
  if (failsFormat) reportAs("VAL-010");
  else if (isString && failsLength(schema, value)) reportAs("VAL-009");
  else if (failsPattern) reportAs("VAL-007");

  function reportAs(code: ErrorCode): void {
    // An integer fails its format by its size alone.
    const broken = Number.isInteger(value) ? (Number(value) < 0 ? "min" : "max") : undefined;
    reportFinding(visit, code, () => ({
      code,
      path: pathOfPlace(location),
      expected: expectationOf(walk.index, schema, base, { withPattern: failsPattern, broken }),
      actual: { value },
      sensitive: isSensitive(schema),
      ...hintFor(code),
    }));
  }

  function hintFor(code: ErrorCode): Pick<Finding, "hint"> {
    if (location.optional && isEmptyValue(value)) return { hint: { kind: "leave-out" } };
    if (code === "VAL-010")
      return hintForFormat(String(format), value, (name, text) => walk.matchesFormat(name, text));
    const accepts = (text: string): boolean => walk.matchesPattern(String(pattern), text);
    return code === "VAL-007" ? hintForCase(String(value), accepts) : {};
  }
}

function failsLength(schema: SchemaObject, value: string): boolean {
  const { minLength, maxLength } = schema;
  const min = typeof minLength === "number" ? minLength : 0;
  const max = typeof maxLength === "number" ? maxLength : Infinity;
  // UTF-16 units bound the code points from both sides, so most strings need no counting.
  if (value.length <= max && value.length >= min * 2) return false;
  if (value.length < min || value.length > max * 2) return true;
  const length = codePoints(value);
  return length < min || length > max;
}

function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}
