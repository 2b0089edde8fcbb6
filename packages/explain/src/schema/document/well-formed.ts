import { isRecord } from "../../shared/index.ts";
import { type Dialect, subschemas } from "./schema-index.ts";

/** Whether a keyword can have a value. */
type Fits = (value: unknown) => boolean;

const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"];
const MAX_NODES = 200_000;

const isType: Fits = (value) => typeof value === "string" && TYPES.includes(value);
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

const SCHEMAS = [
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
  "additionalProperties",
  "additionalItems",
  "unevaluatedProperties",
  "unevaluatedItems",
];
const KEYWORDS: Readonly<Record<string, Fits>> = {
  type: (value) => isType(value) || (Array.isArray(value) && value.every(isType)),
  enum: isList,
  required: isStrings,
  properties: isRecord,
  patternProperties: isRecord,
  dependentRequired: isMapOf(isStrings),
  dependencies: isMapOf((value) => isSchema(value) || isStrings(value)),
  dependentSchemas: isRecord,
  allOf: isList,
  anyOf: isList,
  oneOf: isList,
  prefixItems: isList,
  pattern: isStringValue,
  format: isStringValue,
  $ref: isStringValue,
  minimum: isNumber,
  maximum: isNumber,
  multipleOf: isNumber,
  minLength: isSizeLimit,
  maxLength: isSizeLimit,
  minItems: isSizeLimit,
  maxItems: isSizeLimit,
  minProperties: isSizeLimit,
  maxProperties: isSizeLimit,
  minContains: isSizeLimit,
  maxContains: isSizeLimit,
  uniqueItems: isBooleanValue,
  ...Object.fromEntries(SCHEMAS.map((keyword) => [keyword, isSchema])),
  $defs: isRecord,
  definitions: isRecord,
};

/** What the value of each keyword must be in a dialect. */
export function keywordKinds(dialect: Dialect): Readonly<Record<string, Fits>> {
  const limit: Fits = dialect === "draft-04" ? isBooleanValue : isNumber;
  const items: Fits =
    dialect === "2020-12" ? isSchema : (value) => isSchema(value) || isList(value);
  return { ...KEYWORDS, exclusiveMinimum: limit, exclusiveMaximum: limit, items };
}

/** Whether all keywords of a schema have the types that a dialect defines, so that validating with it is meaningful. */
export function isWellFormed(root: unknown, dialect: Dialect): boolean {
  const own = keywordKinds(dialect);
  const seen = new Set<unknown>();
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const schema = pending.pop();
    if (!isRecord(schema) || seen.has(schema)) continue;
    const inner = [...subschemas(schema)].filter((child) => child !== undefined);
    // `items` and `dependencies` may hold lists.
    const isSound =
      areKeywordsFit(schema, own) && inner.every((child) => isSchema(child) || isList(child));
    if (seen.size >= MAX_NODES || !isSound) return false;
    seen.add(schema);
    // Not all as arguments of one call: in a browser, 70 000 of them are too many.
    for (const child of inner) pending.push(child);
  }
  return true;
}

function areKeywordsFit(
  schema: Readonly<Record<string, unknown>>,
  keywords: Readonly<Record<string, Fits>>,
): boolean {
  // Siblings of a reference are checked too, although it overrides them up to draft-07.
  return Object.entries(keywords).every(
    ([keyword, isKind]) => schema[keyword] === undefined || isKind(schema[keyword]),
  );
}
