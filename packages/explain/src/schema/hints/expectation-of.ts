import {
  type Expectation,
  type ExpectedField,
  type Limits,
  type NumberLimits,
  type SchemaObject,
  isRecord,
  stringsOf,
  typesOf,
} from "../../shared/index.ts";
import { type ResolvedSchema, type SchemaIndex, refOverrides } from "../document/index.ts";
import { narrowed, narrowedLimits } from "./narrowed.ts";

const ANYTHING: Expectation = { kind: "anything" };
const MAX_VARIANTS = 4;
const MAX_DEPTH = 2;
const MAX_HOPS = 4;

/** The ranges of the formats that a number may have, which are shown only if broken: models keep to them anyway. */
const FORMAT_RANGES: ReadonlyMap<unknown, Required<Limits>> = new Map([
  ["int32", { min: -(2 ** 31), max: 2 ** 31 - 1 }],
]);

const expectations = new WeakMap<SchemaIndex, WeakMap<SchemaObject, Map<string, Expectation>>>();

/** What to include beyond the usual. */
export interface ExpectationOptions {
  /** Whether to include a pattern; `alone` leaves it out beside a format, which says the same in short. */
  readonly withPattern?: boolean | "alone";
  /** The side on which a number is out of range: a limit there is shown even if a generator wrote it. */
  readonly broken?: "min" | "max" | undefined;
}

interface Context extends ExpectationOptions {
  readonly index: SchemaIndex;
  readonly base: string;
  readonly depth: number;
  /** How many references and alternatives were followed; they lead no deeper into the value. */
  readonly hops: number;
}

/** Reads what a schema accepts, a few levels deep; cached for each subschema. */
export function expectationOf(
  index: SchemaIndex,
  schema: unknown,
  base: string,
  { withPattern = false, broken }: ExpectationOptions = {},
): Expectation {
  const around = { withPattern, broken, index, base, depth: 0, hops: 0 };
  if (!isRecord(schema)) return readSchema(schema, around);
  const key = `${withPattern} ${broken ?? ""} ${base}`;
  const known = expectations.get(index)?.get(schema)?.get(key);
  if (known) return known;
  const expected = readSchema(schema, around);
  const parts = expectations.get(index) ?? new WeakMap<SchemaObject, Map<string, Expectation>>();
  const readings = parts.get(schema) ?? new Map<string, Expectation>();
  expectations.set(index, parts.set(schema, readings.set(key, expected)));
  return expected;
}

/** Tells which limit of a schema a number breaks; undefined if none. */
export function brokenLimit(schema: SchemaObject, value: number): ExpectationOptions["broken"] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const reaches = (limit: unknown, isExcluded: boolean, isBeyond: (limit: number) => boolean) =>
    typeof limit === "number" && (isBeyond(limit) || (isExcluded && limit === value));
  const isBelow = (limit: number): boolean => value < limit;
  const isAbove = (limit: number): boolean => value > limit;
  if (
    reaches(minimum, exclusiveMinimum === true, isBelow) ||
    reaches(exclusiveMinimum, true, isBelow)
  )
    return "min";
  return reaches(maximum, exclusiveMaximum === true, isAbove) ||
    reaches(exclusiveMaximum, true, isAbove)
    ? "max"
    : undefined;
}

/** Reads the limits of a length; a minimum of 0 beside a maximum is left out. */
export function countLimits(minimum: unknown, maximum: unknown): Limits {
  const min = typeof minimum === "number" ? minimum : undefined;
  return limitsBetween(min === 0 && maximum !== undefined ? undefined : min, bound(maximum));
}

/** Whether a schema refuses every value: `false`, or `{ not: {} }`, which converters write for "never" and "undefined". */
export function acceptsNothing(schema: unknown): boolean {
  if (!isRecord(schema)) return schema === false;
  const { not } = schema;
  return not === true || (isRecord(not) && Object.keys(not).length === 0);
}

function readSchema(schema: unknown, around: Context): Expectation {
  if (acceptsNothing(schema)) return { kind: "nothing" };
  const isDeep = around.depth > MAX_DEPTH || around.hops > MAX_HOPS;
  if (!isRecord(schema) || isDeep) return ANYTHING;
  const base = around.index.baseOf(schema, around.base);
  const beside = { ...around, base, hops: around.hops + 1 };
  const target = referenced(schema, around.index, base);
  const referred = target && readSchema(target.schema, { ...beside, base: target.base });
  if (referred && refOverrides(around.index.dialect)) return referred;
  return narrowed(referred ?? ANYTHING, readOwn(schema, { ...around, base }, beside));
}

/** What a schema asks for apart from its references. */
function readOwn(schema: SchemaObject, around: Context, beside: Context): Expectation {
  const context = { ...around, depth: around.depth + 1 };
  const values = listedValues(schema);
  if (values) return { kind: "values", values };
  const types = typesOf(schema);
  const implied = types.length > 0 ? undefined : impliedType(schema);
  const own =
    types.length > 0
      ? either(types.map((type) => typeExpectation(type, schema, context)))
      : ANYTHING;
  const variants = schema["anyOf"] ?? schema["oneOf"];
  const chosen =
    types.length === 0 && Array.isArray(variants) ? readVariants(variants, beside) : ANYTHING;
  const joined = [own, ...readParts(schema, context), chosen].reduce(narrowed);
  return implied === undefined
    ? joined
    : narrowed(joined, typeExpectation(implied, schema, context));
}

function readParts({ allOf }: SchemaObject, context: Context): readonly Expectation[] {
  return Array.isArray(allOf) ? allOf.map((part) => readSchema(part, context)) : [];
}

function referenced(
  { $ref }: SchemaObject,
  index: SchemaIndex,
  base: string,
): ResolvedSchema | undefined {
  return typeof $ref === "string" ? index.resolve($ref, base) : undefined;
}

function either(of: readonly Expectation[], more = 0): Expectation {
  const [only] = of;
  if (only && of.length === 1 && more === 0) return only;
  return { kind: "either", of, ...(more > 0 && { more }) };
}

function readVariants(all: readonly unknown[], context: Context): Expectation {
  const variants = all.filter((variant) => !acceptsNothing(variant));
  if (variants.length === 0) return { kind: "nothing" };
  const values = variants.map(listedValues);
  if (values.every((listed) => listed !== undefined))
    return { kind: "values", values: values.flat() };
  const few = variants.length > MAX_VARIANTS ? variants.slice(0, MAX_VARIANTS - 1) : variants;
  if (few !== variants) {
    const tag = commonTag(variants.map((variant) => resolved(variant, context)));
    if (tag) return { kind: "tagged", tag: tag.name, values: tag.values };
  }
  return either(
    few.map((variant) => readSchema(variant, context)),
    variants.length - few.length,
  );
}

/** Follows a schema's references. */
function resolved(schema: unknown, { index, base }: Context): SchemaObject | undefined {
  let node: ResolvedSchema = { schema, base };
  for (let hops = 0; hops <= MAX_HOPS && isRecord(node.schema); hops += 1) {
    const { $ref } = node.schema;
    if (typeof $ref !== "string") return node.schema;
    const inner = index.baseOf(node.schema, node.base);
    node = index.resolve($ref, inner) ?? { schema: undefined, base: inner };
  }
  return undefined;
}

function impliedType(schema: SchemaObject): string | undefined {
  const has = (...keywords: readonly string[]): boolean =>
    keywords.some((keyword) => schema[keyword] !== undefined);
  if (has("properties", "required", "additionalProperties", "minProperties", "maxProperties"))
    return "object";
  if (has("items", "prefixItems", "minItems", "maxItems", "uniqueItems")) return "array";
  if (has("minLength", "maxLength", "pattern", "format")) return "string";
  return has("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
    ? "number"
    : undefined;
}

function typeExpectation(type: string, schema: SchemaObject, context: Context): Expectation {
  switch (type) {
    case "integer":
    case "number": {
      const { multipleOf } = schema;
      return {
        kind: "number",
        type,
        limits: numberLimits(schema, context.broken),
        ...(typeof multipleOf === "number" && { multipleOf }),
      };
    }
    case "string":
      return stringExpectation(schema, context);
    case "array":
      return readArray(schema, context);
    case "object":
      return readObject(schema, context);
    default:
      return { kind: "type", type };
  }
}

function numberLimits(schema: SchemaObject, broken: ExpectationOptions["broken"]): NumberLimits {
  const { exclusiveMinimum, exclusiveMaximum } = schema;
  const lowest = (limit: unknown): number | undefined => bound(limit, broken === "min");
  const highest = (limit: unknown): number | undefined => bound(limit, broken === "max");
  const range = broken && FORMAT_RANGES.get(schema["format"]);
  const min = lowest(schema["minimum"]) ?? (broken === "min" ? range?.min : undefined);
  const max = highest(schema["maximum"]) ?? (broken === "max" ? range?.max : undefined);
  const above = exclusiveMinimum === true ? min : lowest(exclusiveMinimum);
  const below = exclusiveMaximum === true ? max : highest(exclusiveMaximum);
  return narrowedLimits(limitsBetween(min, max), {
    ...(above !== undefined && { above }),
    ...(below !== undefined && { below }),
  });
}

function limitsBetween(min: number | undefined, max: number | undefined): Limits {
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

/** Reads a limit; generators write the safe integers' limits if there is none, which are shown only if broken. */
function bound(limit: unknown, isBroken = false): number | undefined {
  const isShown =
    typeof limit === "number" && (isBroken || Math.abs(limit) < Number.MAX_SAFE_INTEGER);
  return isShown ? limit : undefined;
}

function stringExpectation(schema: SchemaObject, { withPattern }: Context): Expectation {
  const { format, pattern, minLength, maxLength } = schema;
  const isShown = withPattern === true || (withPattern === "alone" && format === undefined);
  return {
    kind: "string",
    length: countLimits(minLength, maxLength),
    ...(typeof format === "string" && { format }),
    ...(isShown && typeof pattern === "string" && { pattern }),
  };
}

function readArray(schema: SchemaObject, context: Context): Expectation {
  const { items, prefixItems, minItems, maxItems } = schema;
  const first = Array.isArray(items) ? items : prefixItems;
  if (Array.isArray(first) && first.length > 0) return readTuple(first, schema, context);
  const inner = isRecord(items) ? readSchema(items, context) : ANYTHING;
  const count = countLimits(minItems, maxItems);
  return { kind: "array", count, ...(inner.kind !== "anything" && { items: inner }) };
}

function readTuple(first: readonly unknown[], schema: SchemaObject, context: Context): Expectation {
  const { items, additionalItems, minItems, maxItems } = schema;
  const rest = Array.isArray(items) ? additionalItems : items;
  const more = isRecord(rest) ? readSchema(rest, context) : ANYTHING;
  const most = rest === false ? Math.min(first.length, bound(maxItems) ?? Infinity) : maxItems;
  return {
    kind: "tuple",
    items: first.map((item) => readSchema(item, context)),
    count: countLimits(minItems, most),
    ...(more.kind !== "anything" && { rest: more }),
  };
}

function readObject(schema: SchemaObject, context: Context): Expectation {
  const required = context.depth > MAX_DEPTH ? [] : stringsOf(schema["required"]);
  if (required.length > 0 || context.depth > MAX_DEPTH)
    return { kind: "object", fields: required.map((name) => readField(name, schema)) };
  const { properties, additionalProperties } = schema;
  const values =
    Object.keys(properties ?? {}).length === 0 && isRecord(additionalProperties)
      ? readSchema(additionalProperties, context)
      : ANYTHING;
  if (values.kind !== "anything") return { kind: "map", values };
  const declared = isRecord(properties) ? Object.keys(properties) : [];
  return { kind: "object", fields: declared.map((name) => ({ name, isOptional: true })) };
}

/** Reads a field's name, with its value if only one is allowed. */
function readField(name: string, { properties }: SchemaObject): ExpectedField {
  const field = isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : {};
  const [value, ...more] = listedValues(field) ?? [];
  const isFixed = value !== undefined && more.length === 0 && typeof value !== "object";
  return isFixed ? { name, only: { value } } : { name };
}

/** Finds the field whose values tell several objects apart. */
function commonTag(
  variants: readonly (SchemaObject | undefined)[],
): { readonly name: string; readonly values: readonly unknown[] } | undefined {
  const [first, ...others] = variants.map((variant) =>
    isRecord(variant?.["properties"]) ? variant["properties"] : {},
  );
  for (const [name, schema] of Object.entries(first ?? {})) {
    const values = [schema, ...others.map((fields) => fields[name])].map(listedValues);
    if (!values.every((listed) => listed !== undefined)) continue;
    const all = values.flat();
    if (new Set(all).size === all.length) return { name, values: all };
  }
  return undefined;
}

/** Returns the values that a schema lists; undefined if it lists none. */
function listedValues(schema: unknown): readonly unknown[] | undefined {
  if (!isRecord(schema)) return undefined;
  if (Object.hasOwn(schema, "const")) return [schema["const"]];
  return Array.isArray(schema["enum"]) ? schema["enum"] : undefined;
}
