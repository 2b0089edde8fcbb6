import {
  type ErrorCode,
  type Finding,
  type JsonSchema,
  type PathSegment,
  duplicateItems,
  isRecord,
} from "../../shared/index.ts";
import { type Dialect, type SchemaIndex, isSensitive, refOverrides } from "../document/index.ts";
import { expectationOf } from "../facts/index.ts";
import type { Pattern } from "../pattern/index.ts";
import { isMultiple } from "../walk/index.ts";
import { Ajv, Ajv2019, Ajv2020, type ErrorObject, type Options, ajvFormats } from "./ajv.ts";
import { LENIENT_FORMATS, formatOf } from "./format.ts";

// Names that every object inherits: ajv checks for own properties only if a schema has one.
const INHERITED =
  /"(?:__proto__|constructor|toString|toLocaleString|valueOf|hasOwnProperty|isPrototypeOf|propertyIsEnumerable)"/;

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

/** A schema compiled by ajv. */
export interface AjvValidator {
  /** Whether a value is valid; undefined if ajv throws on it (`{"toString": ""}` breaks its comparison). */
  accepts(value: unknown): boolean | undefined;
  /** Validates without catching what ajv throws. */
  readonly validate: (value: unknown) => boolean;
  /** Returns the first error of the last invalid value. */
  lastError(): ErrorObject | undefined;
}

/** Compiles a schema with ajv; throws what ajv throws for an invalid schema. */
export function compileAjv(
  schema: JsonSchema,
  dialect: Dialect,
  json: string,
  compilePattern: (source: string) => Pattern,
): AjvValidator {
  const ajv = createAjv(dialect, INHERITED.test(json), compilePattern);
  const validate = ajv.compile(schema);
  return { accepts, validate, lastError: () => validate.errors?.[0] };

  function accepts(value: unknown): boolean | undefined {
    try {
      return validate(value);
    } catch (error) {
      if (error instanceof RangeError) throw error;
      return undefined;
    }
  }
}

function createAjv(
  dialect: Dialect,
  ownProperties: boolean,
  compilePattern: (source: string) => Pattern,
): Ajv {
  const options: Options = {
    strict: false,
    validateSchema: false,
    logger: false,
    verbose: true,
    ownProperties,
    ignoreKeywordsWithRef: refOverrides(dialect),
    code: { regExp: Object.assign(compilePattern, { code: "compilePattern" }) },
  };
  const ajv =
    dialect === "2020-12"
      ? new Ajv2020(options)
      : dialect === "2019-09"
        ? new Ajv2019(options)
        : new Ajv(options);
  ajvFormats.default(ajv);
  for (const name of Object.keys(LENIENT_FORMATS)) ajv.addFormat(name, formatOf(name) ?? true);
  // ajv reads draft-06 as draft-07, which has conditions.
  if (dialect === "draft-06") ajv.removeKeyword("if");
  // ajv compares every pair of items; one pass over their JSON gives the same result.
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    errors: false,
    validate: (unique: boolean, items: readonly unknown[]) =>
      !unique || duplicateItems(items, Infinity) === undefined,
  });
  // ajv finds that 19.99 is not a multiple of 0.01.
  ajv.removeKeyword("multipleOf");
  ajv.addKeyword({
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    errors: false,
    validate: (step: number, value: number) => isMultiple(value, step),
  });
  return ajv;
}

/** Converts ajv's error to a finding, for a fault beyond the explainer's limits. */
export function findingFromAjv(
  error: ErrorObject | undefined,
  index: SchemaIndex,
  root: unknown,
): Finding {
  const code = (error && CODES[error.keyword]) ?? "VAL-003";
  const path = error ? segmentsOf(error.instancePath, root) : [];
  const schema = isRecord(error?.parentSchema) ? error.parentSchema : index.root.schema;
  const extra = keyOf(error);
  const expected = expectationOf(index, schema, index.root.base);
  if (extra !== undefined) {
    return { code, path: [...path, extra], ...(code === "VAL-001" ? {} : { expected }) };
  }
  const reason = code === "VAL-014" ? { reason: { kind: "conflict" as const } } : {};
  const sensitive = isRecord(schema) && isSensitive(schema);
  return {
    code,
    path,
    ...reason,
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
