import { JSON_TYPES, type ErrorCode, isRecord } from "../../shared/index.ts";
import type { Dialect } from "./schema-index.ts";

/** Whether a keyword can have a value. */
type Fits = (value: unknown) => boolean;

/** What the explainer knows of a keyword. */
interface Keyword {
  /** The values that a schema may give it. @default any */
  readonly fits?: Fits;
  /** What a value that breaks it is reported as. @default "VAL-003" */
  readonly code?: ErrorCode;
}

const isType: Fits = (value) => typeof value === "string" && JSON_TYPES.includes(value);
const isNumber: Fits = (value) => typeof value === "number";
const isSizeLimit: Fits = (value) => typeof value === "number" && value >= 0;
const isStringValue: Fits = (value) => typeof value === "string";
const isList: Fits = Array.isArray;
const isStrings: Fits = (value) => Array.isArray(value) && value.every(isStringValue);
/** Whether a value can be a schema. */
export const isSchema: Fits = (value) => typeof value === "boolean" || isRecord(value);
const isBooleanValue: Fits = (value) => typeof value === "boolean";
const isMapOf =
  (isKind: Fits): Fits =>
  (value) =>
    isRecord(value) && Object.values(value).every(isKind);

/** Every keyword that says whether a value is valid, and what holds schemas. */
const KEYWORDS: Readonly<Record<string, Keyword>> = {
  type: {
    fits: (value) => isType(value) || (Array.isArray(value) && value.every(isType)),
    code: "VAL-002",
  },
  enum: { fits: isList, code: "VAL-008" },
  const: { code: "VAL-008" },
  required: { fits: isStrings, code: "VAL-001" },
  properties: { fits: isRecord },
  patternProperties: { fits: isRecord },
  additionalProperties: { fits: isSchema, code: "VAL-005" },
  unevaluatedProperties: { fits: isSchema, code: "VAL-005" },
  propertyNames: { fits: isSchema },
  dependentRequired: { fits: isMapOf(isStrings), code: "VAL-014" },
  dependencies: {
    fits: isMapOf((value) => isSchema(value) || isStrings(value)),
    code: "VAL-014",
  },
  dependentSchemas: { fits: isRecord },
  allOf: { fits: isList },
  anyOf: { fits: isList, code: "VAL-013" },
  oneOf: { fits: isList, code: "VAL-013" },
  not: { fits: isSchema, code: "VAL-014" },
  if: { fits: isSchema, code: "VAL-014" },
  // oxlint-disable-next-line unicorn/no-thenable -- A keyword, and its row is not a function.
  then: { fits: isSchema },
  else: { fits: isSchema },
  prefixItems: { fits: isList },
  additionalItems: { fits: isSchema },
  unevaluatedItems: { fits: isSchema },
  contains: { fits: isSchema, code: "VAL-006" },
  pattern: { fits: isStringValue, code: "VAL-007" },
  format: { fits: isStringValue, code: "VAL-010" },
  $ref: { fits: isStringValue },
  minimum: { fits: isNumber },
  maximum: { fits: isNumber },
  multipleOf: { fits: isNumber },
  minLength: { fits: isSizeLimit, code: "VAL-009" },
  maxLength: { fits: isSizeLimit, code: "VAL-009" },
  minItems: { fits: isSizeLimit, code: "VAL-006" },
  maxItems: { fits: isSizeLimit, code: "VAL-006" },
  minProperties: { fits: isSizeLimit },
  maxProperties: { fits: isSizeLimit },
  minContains: { fits: isSizeLimit },
  maxContains: { fits: isSizeLimit },
  uniqueItems: { fits: isBooleanValue, code: "VAL-015" },
  $defs: { fits: isRecord },
  definitions: { fits: isRecord },
};

const KINDS: Readonly<Record<string, Fits>> = Object.fromEntries(
  Object.entries(KEYWORDS).flatMap(([keyword, { fits }]) =>
    fits === undefined ? [] : [[keyword, fits]],
  ),
);

/** What the value of each keyword must be in a dialect. */
export function keywordKinds(dialect: Dialect): Readonly<Record<string, Fits>> {
  const limit: Fits = dialect === "draft-04" ? isBooleanValue : isNumber;
  const items: Fits =
    dialect === "2020-12" ? isSchema : (value) => isSchema(value) || isList(value);
  return { ...KINDS, exclusiveMinimum: limit, exclusiveMaximum: limit, items };
}

/** What a value that breaks a keyword is reported as. */
export function codeOfKeyword(keyword: string): ErrorCode {
  return KEYWORDS[keyword]?.code ?? "VAL-003";
}
