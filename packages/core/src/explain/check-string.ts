import { describe } from "./describe.ts";
import { isSensitive } from "./sensitive.ts";
import type { ErrorCode } from "../error-code.ts";
import type { Location, Outcome, SchemaRecord, Walk } from "./walk.ts";

/** `minLength`, `maxLength`, `format` and `pattern`; a pattern is named only where it alone failed. */
export function checkString(
  walk: Walk,
  location: Location,
  schema: SchemaRecord,
  outcome: Outcome,
): void {
  const { value, path } = location;
  if (typeof value !== "string") {
    // Formats of numbers exist (`int32`); everything else here is about text.
    if (failsFormat(walk, schema, value)) add("VAL-010");
    return;
  }
  const { pattern } = schema;
  if (failsLength(schema, value)) add("VAL-009");
  if (failsFormat(walk, schema, value)) add("VAL-010");
  else if (typeof pattern === "string" && !walk.matchesPattern(pattern, value)) add("VAL-007");

  function add(code: ErrorCode): void {
    const withPattern = code === "VAL-007";
    outcome.findings.push({
      code,
      path,
      expected: describe(walk.index, schema, location.base, { withPattern }),
      actual: { value },
      sensitive: isSensitive(schema),
    });
  }
}

function failsFormat(walk: Walk, schema: SchemaRecord, value: unknown): boolean {
  const { format } = schema;
  return typeof format === "string" && !walk.matchesFormat(format, value);
}

function failsLength(schema: SchemaRecord, text: string): boolean {
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
