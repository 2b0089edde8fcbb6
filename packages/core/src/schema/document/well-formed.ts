import { isRecord } from "../../shared/index.ts";
import { type Dialect, type SchemaIndex, type SchemaNode, subschemas } from "./schema-index.ts";

type Fits = (value: unknown) => boolean;

const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"];
const MAX_NODES = 200_000;

const isType: Fits = (value) => typeof value === "string" && TYPES.includes(value);
const isNumber: Fits = (value) => typeof value === "number";
const isCount: Fits = (value) => typeof value === "number" && value >= 0;
const isString: Fits = (value) => typeof value === "string";
const isList: Fits = Array.isArray;
const isStrings: Fits = (value) => Array.isArray(value) && value.every(isString);
const isSchema: Fits = (value) => typeof value === "boolean" || isRecord(value);

const KEYWORDS: Readonly<Record<string, Fits>> = {
  type: (value) => isType(value) || (Array.isArray(value) && value.every(isType)),
  enum: isList,
  required: isStrings,
  properties: isRecord,
  patternProperties: isRecord,
  dependentRequired: isRecord,
  dependentSchemas: isRecord,
  allOf: isList,
  anyOf: isList,
  oneOf: isList,
  prefixItems: isList,
  pattern: isString,
  format: isString,
  $ref: isString,
  minimum: isNumber,
  maximum: isNumber,
  multipleOf: isNumber,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  not: isSchema,
  contains: isSchema,
  additionalProperties: isSchema,
};

/** Whether all keywords of a schema have the types that a dialect defines, so that validating with it is meaningful. */
export function isWellFormed(root: unknown, dialect: Dialect): boolean {
  const limit: Fits = dialect === "draft-04" ? (value) => typeof value === "boolean" : isNumber;
  const items: Fits =
    dialect === "2020-12" ? isSchema : (value) => isSchema(value) || isList(value);
  const own: Readonly<Record<string, Fits>> = {
    ...KEYWORDS,
    exclusiveMinimum: limit,
    exclusiveMaximum: limit,
    items,
  };
  const seen = new Set<unknown>();
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const schema = pending.pop();
    if (!isRecord(schema) || seen.has(schema)) continue;
    if (seen.size >= MAX_NODES || !fits(schema, own)) return false;
    seen.add(schema);
    pending.push(...subschemas(schema));
  }
  return true;
}

function fits(
  schema: Readonly<Record<string, unknown>>,
  keywords: Readonly<Record<string, Fits>>,
): boolean {
  // Siblings of a reference are checked too, although it overrides them up to draft-07.
  return Object.entries(keywords).every(
    ([keyword, isKind]) => !Object.hasOwn(schema, keyword) || isKind(schema[keyword]),
  );
}

/** Whether a schema reaches itself through its references. */
export function isRecursive(index: SchemaIndex): boolean {
  const open = new Set<unknown>();
  const done = new Set<unknown>();

  function reachesItself({ schema, base }: SchemaNode): boolean {
    if (!isRecord(schema) || done.has(schema)) return false;
    if (open.has(schema)) return true;
    open.add(schema);
    const inner = index.baseOf(schema, base);
    const { $ref } = schema;
    const target = typeof $ref === "string" ? index.resolve($ref, inner) : undefined;
    const children = [...subschemas(schema)].map((child) => ({ schema: child, base: inner }));
    const found = [...children, ...(target ? [target] : [])].some(reachesItself);
    open.delete(schema);
    done.add(schema);
    return found;
  }

  return reachesItself(index.root);
}
