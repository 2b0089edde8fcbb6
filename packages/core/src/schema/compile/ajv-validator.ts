import { isMultiple } from "../walk/index.ts";
import {
  type ErrorCode,
  type Finding,
  type JsonSchema,
  type PathSegment,
  duplicateItems,
  isRecord,
} from "../../shared/index.ts";
import { Ajv, Ajv2019, Ajv2020, type ErrorObject, type Options, ajvFormats } from "./ajv.ts";
import { LENIENT_FORMATS, formatOf } from "./format.ts";
import { type Dialect, type SchemaIndex, isSensitive, refOverrides } from "../document/index.ts";
import type { Pattern } from "../pattern/index.ts";
import { expectationOf } from "../facts/index.ts";

/** A compiled judge of one schema: the verdict, and what it stumbled over last. */
export interface AjvValidator {
  /** The verdict; undefined where ajv broke on the value (`{"toString": ""}` breaks its comparison). */
  accepts(value: unknown): boolean | undefined;
  /** The verdict of ajv itself, which throws where it breaks. */
  readonly validate: (value: unknown) => boolean;
  /** The first error of the last refused value. */
  lastError(): ErrorObject | undefined;
}

// Names that every object inherits: only with these must ajv look closely at own properties.
const INHERITED =
  /"(?:__proto__|constructor|toString|toLocaleString|valueOf|hasOwnProperty|isPrototypeOf|propertyIsEnumerable)"/;

/** Compiles a schema with ajv; throws what ajv throws where the schema is none. */
export function compileAjv(
  schema: JsonSchema,
  dialect: Dialect,
  text: string,
  compilePattern: (source: string) => Pattern,
): AjvValidator {
  const ajv = createAjv(dialect, INHERITED.test(text), compilePattern);
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
  // ajv compares every two items; one pass over their texts judges the same.
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    errors: false,
    validate: (unique: boolean, items: readonly unknown[]) =>
      !unique || duplicateItems(items, Infinity) === undefined,
  });
  // ajv takes 19.99 for no multiple of 0.01.
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
