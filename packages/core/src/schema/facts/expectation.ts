import {
  bound,
  describeFormat,
  isNeverEmpty,
  listTexts,
  listValues,
  measured,
  numberRange,
  plainName,
} from "./words.ts";
import { isRecord, stringsOf, typesOf, type SchemaObject } from "../../shared/index.ts";
import type { SchemaIndex } from "../document/index.ts";

/** What a schema accepts that says nothing. */
export const ANYTHING = "any value";

const MAX_VARIANTS = 4;
const MAX_DEPTH = 2;
const MAX_HOPS = 4;

/** What to say of a schema beyond the ordinary. */
export interface DescribeOptions {
  /** Names the pattern too, or only where it stands alone: beside a format it says the same at length. */
  readonly withPattern?: boolean | "alone";
}

interface Description extends DescribeOptions {
  readonly index: SchemaIndex;
  readonly base: string;
  readonly depth: number;
  /** How many references and alternatives were entered, which lead no deeper into the value. */
  readonly hops: number;
}

/** What a schema accepts, in literal words: `integer from 0 to 511`, `one of "a", "b"`. */
export function describe(
  index: SchemaIndex,
  schema: unknown,
  base: string,
  options: DescribeOptions = {},
): string {
  const { withPattern = false } = options;
  const write = (): string =>
    describeSchema(schema, { withPattern, index, base, depth: 0, hops: 0 });
  return isRecord(schema) ? wordsOnce(index, schema, `${withPattern} ${base}`, write) : write();
}

function describeSchema(schema: unknown, around: Description): string {
  if (schema === false) return "nothing";
  const isDeep = around.depth > MAX_DEPTH || around.hops > MAX_HOPS;
  if (!isRecord(schema) || isDeep) return ANYTHING;
  const base = around.index.baseOf(schema, around.base);
  const beside = { ...around, base, hops: around.hops + 1 };
  const { $ref } = schema;
  const target = typeof $ref === "string" ? around.index.resolve($ref, base) : undefined;
  if (target) return describeSchema(target.schema, { ...beside, base: target.base });
  const context = { ...around, base, depth: around.depth + 1 };
  const values = Object.hasOwn(schema, "const") ? [schema["const"]] : schema["enum"];
  if (Array.isArray(values)) return listValues(values);
  const types = typesOf(schema);
  if (types.length > 0) return join(types.map((type) => describeType(type, schema, context)));
  const variants = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(variants)) return describeVariants(variants, beside);
  const parts = Array.isArray(schema["allOf"])
    ? schema["allOf"].map((part) => describeSchema(part, context))
    : [];
  const known = joinDescriptions(parts.filter((part) => part !== ANYTHING));
  if (known !== undefined) return known;
  const implied = impliedType(schema);
  return implied === undefined ? ANYTHING : describeType(implied, schema, context);
}

function describeVariants(variants: readonly unknown[], context: Description): string {
  const values = variants.map(listedValues);
  if (values.every((listed) => listed !== undefined)) return listValues(values.flat());
  const few = variants.length > MAX_VARIANTS ? variants.slice(0, MAX_VARIANTS - 1) : variants;
  if (few !== variants) {
    const tag = commonTag(variants.map((variant) => resolved(variant, context)));
    if (tag) return `object with ${tag.name} ${listValues(tag.values)}`;
  }
  const more = variants.length - few.length;
  const words = few.map((variant) => describeSchema(variant, context));
  return join(words) + (more > 0 ? ` or ${more} others` : "");
}

/** What a schema's references lead to. */
function resolved(schema: unknown, { index, base }: Description): SchemaObject | undefined {
  let place = { schema, base };
  for (let hops = 0; hops <= MAX_HOPS && isRecord(place.schema); hops += 1) {
    const { $ref } = place.schema;
    if (typeof $ref !== "string") return place.schema;
    const inner = index.baseOf(place.schema, place.base);
    place = index.resolve($ref, inner) ?? { schema: undefined, base: inner };
  }
  return undefined;
}

/** Alternatives, the plain words first, so that none reads as part of another's limits. */
function join(parts: readonly string[]): string {
  const isLong = (part: string): number => (part.includes(", ") ? 1 : 0);
  return [...new Set(parts)].toSorted((a, b) => isLong(a) - isLong(b)).join(" or ");
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

function describeType(type: string, schema: SchemaObject, context: Description): string {
  switch (type) {
    case "integer":
    case "number":
      return describeNumber(type, schema);
    case "string":
      return describeString(schema, context);
    case "array":
      return describeArray(schema, context);
    case "object":
      return describeObject(schema, context);
    default:
      return type;
  }
}

function describeNumber(type: string, schema: SchemaObject): string {
  const { multipleOf } = schema;
  const limits = numberRange(schema);
  const step = typeof multipleOf === "number" ? `, a multiple of ${multipleOf}` : "";
  return `${type}${limits === "" ? "" : ` ${limits}`}${step}`;
}

function describeString(schema: SchemaObject, context: Description): string {
  const { format, pattern, maxLength } = schema;
  const hasFormat = typeof format === "string";
  const kind = hasFormat ? describeFormat(format) : "string";
  const isSaid = hasFormat && isNeverEmpty(format) && schema["minLength"] === 1;
  const minLength = isSaid && maxLength === undefined ? undefined : schema["minLength"];
  const length = measured(minLength, maxLength, "character");
  const { withPattern } = context;
  const isTold = withPattern === true || (withPattern === "alone" && format === undefined);
  const shape = isTold && typeof pattern === "string" ? ` matching ${pattern}` : "";
  return `${kind}${length}${shape}`;
}

function describeArray(schema: SchemaObject, context: Description): string {
  const { items, prefixItems, minItems, maxItems } = schema;
  const first = Array.isArray(items) ? items : prefixItems;
  if (Array.isArray(first) && first.length > 0) return describeTuple(first, schema, context);
  const inner = isRecord(items) ? describeSchema(items, context) : ANYTHING;
  const length = measured(minItems, maxItems, "item");
  if (inner === ANYTHING) return `array${length}`;
  // A choice in brackets, so that the count does not read as a part of its last branch.
  const isChoice = length !== "" && inner.includes(" or ");
  return `array of ${isChoice ? `(${inner})` : inner}${length}`;
}

/** `array [number, number]`, with what may follow: `array [string, ...number]`. */
function describeTuple(
  first: readonly unknown[],
  schema: SchemaObject,
  context: Description,
): string {
  const { items, additionalItems, minItems, maxItems } = schema;
  const rest = Array.isArray(items) ? additionalItems : items;
  const words = first.map((item) => describeSchema(item, context));
  const more = isRecord(rest) ? describeSchema(rest, context) : ANYTHING;
  if (more !== ANYTHING) words.push(`...${more}`);
  const most = rest === false ? Math.min(first.length, bound(maxItems) ?? Infinity) : maxItems;
  const isWhole = minItems === first.length && most === first.length;
  return `array [${words.join(", ")}]${isWhole ? "" : measured(minItems, most, "item")}`;
}

function describeObject(schema: SchemaObject, context: Description): string {
  const required = stringsOf(schema["required"]);
  if (context.depth > MAX_DEPTH) return "object";
  if (required.length > 0)
    return `object with ${listTexts(required.map((name) => describeField(name, schema)))}`;
  const { properties, additionalProperties } = schema;
  const values =
    Object.keys(properties ?? {}).length === 0 && isRecord(additionalProperties)
      ? describeSchema(additionalProperties, context)
      : ANYTHING;
  return values === ANYTHING ? "object" : `object of ${values}`;
}

/** A field's name, with its value where only one is allowed. */
function describeField(name: string, { properties }: SchemaObject): string {
  const field = isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : {};
  const [value, ...more] = listedValues(field) ?? [];
  const isFixed = value !== undefined && more.length === 0 && typeof value !== "object";
  return plainName(name) + (isFixed ? ` ${JSON.stringify(value)}` : "");
}

const documents = new WeakMap<SchemaIndex, WeakMap<SchemaObject, Map<string, string>>>();

/** Words that are made of a part of a schema: they read the same with every call, so they are made once. */
function wordsOnce(
  document: SchemaIndex,
  part: SchemaObject,
  kind: string,
  write: () => string,
): string {
  const parts = documents.get(document) ?? new WeakMap<SchemaObject, Map<string, string>>();
  documents.set(document, parts);
  const kinds = parts.get(part) ?? new Map<string, string>();
  parts.set(part, kinds);
  const words = kinds.get(kind) ?? write();
  kinds.set(kind, words);
  return words;
}

/** The field that tells variants apart, and all its values. */
interface Tag {
  readonly name: string;
  readonly values: readonly unknown[];
}

/** The field to which every one of several objects gives values of its own; undefined where there is none. */
function commonTag(variants: readonly (SchemaObject | undefined)[]): Tag | undefined {
  const [first, ...others] = variants.map(fieldsOf);
  for (const [name, schema] of Object.entries(first ?? {})) {
    const values = [schema, ...others.map((fields) => fields[name])].map(listedValues);
    if (!values.every((listed) => listed !== undefined)) continue;
    const all = values.flat();
    if (new Set(all).size === all.length) return { name, values: all };
  }
  return undefined;
}

function fieldsOf(variant: SchemaObject | undefined): SchemaObject {
  return isRecord(variant?.["properties"]) ? variant["properties"] : {};
}

/** The values of a schema that is nothing but a list of them. */
function listedValues(schema: unknown): readonly unknown[] | undefined {
  if (!isRecord(schema)) return undefined;
  if (Object.hasOwn(schema, "const")) return [schema["const"]];
  return Array.isArray(schema["enum"]) ? schema["enum"] : undefined;
}

const FIELDS = /^object with ([^ ]+(?:, [^ ]+)*)$/;

/** What all of several schemas ask for: the fields of all of them, else what the first one says. */
function joinDescriptions(parts: readonly string[]): string | undefined {
  const [first] = parts;
  if (!parts.every((part) => FIELDS.test(part) || part === "object")) return first;
  const names = parts.flatMap((part) => FIELDS.exec(part)?.[1] ?? []);
  return names.length > 0 ? `object with ${names.join(", ")}` : first;
}
