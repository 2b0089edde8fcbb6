import type { ErrorCode } from "../error-code.ts";
import type { PathSegment } from "../fault.ts";
import { describe } from "../explain/describe.ts";
import { isSensitive } from "../explain/sensitive.ts";
import { isRecord } from "../explain/json-type.ts";
import type { Finding } from "../fault.ts";
import type { ErrorObject } from "./ajv.ts";
import type { SchemaIndex } from "./schema-index.ts";

const CODES: Readonly<Record<string, ErrorCode>> = {
  required: "VAL-001",
  type: "VAL-002",
  additionalProperties: "VAL-005",
  unevaluatedProperties: "VAL-005",
  minItems: "VAL-006",
  maxItems: "VAL-006",
  contains: "VAL-006",
  pattern: "VAL-007",
  enum: "VAL-008",
  const: "VAL-008",
  minLength: "VAL-009",
  maxLength: "VAL-009",
  format: "VAL-010",
  anyOf: "VAL-013",
  oneOf: "VAL-013",
  not: "VAL-014",
  if: "VAL-014",
  dependentRequired: "VAL-014",
  dependencies: "VAL-014",
  uniqueItems: "VAL-015",
};

/** The finding in the judge's own terms, for a fault that lies beyond the explainer's bounds. */
export function findingFromAjv(
  error: ErrorObject | undefined,
  index: SchemaIndex,
  root: unknown,
): Finding {
  const code = (error && CODES[error.keyword]) ?? "VAL-003";
  const path = error ? segmentsOf(error.instancePath, root) : [];
  const schema = isRecord(error?.parentSchema) ? error.parentSchema : index.root.schema;
  const extra = keyOf(error);
  const expected = describe(index, schema, index.root.base);
  if (extra !== undefined) {
    return { code, path: [...path, extra], ...(code === "VAL-001" ? {} : { expected }) };
  }
  const message = code === "VAL-014" ? { message: "Fields conflict or depend on each other" } : {};
  const sensitive = isRecord(schema) && isSensitive(schema);
  return {
    code,
    path,
    ...message,
    expected,
    actual: { value: error ? error.data : root },
    sensitive,
  };
}

function keyOf(error: ErrorObject | undefined): string | undefined {
  const { missingProperty, additionalProperty, unevaluatedProperty } = (error?.params ??
    {}) as Readonly<Record<string, unknown>>;
  return [missingProperty, additionalProperty, unevaluatedProperty].find(
    (name) => typeof name === "string",
  );
}

function segmentsOf(pointer: string, root: unknown): readonly PathSegment[] {
  const segments: PathSegment[] = [];
  let value = root;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    segments.push(Array.isArray(value) ? Number(key) : key);
    value =
      typeof value === "object" && value !== null
        ? (value as Readonly<Record<string, unknown>>)[key]
        : undefined;
  }
  return segments;
}
