import { describe } from "./describe.ts";
import { isSensitive } from "./sensitive.ts";
import type { ErrorCode } from "../error-code.ts";
import type { Location, Outcome, SchemaRecord, Walk } from "./walk.ts";

/** `minLength`, `maxLength`, `format` and `pattern`; a pattern is named only where it failed, and not beside a format. */
export function checkString(
  walk: Walk,
  location: Location,
  schema: SchemaRecord,
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
