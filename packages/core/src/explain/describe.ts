import { describeFormat } from "./describe-format.ts";
import { isRecord, textsOf, typesOf } from "./json-type.ts";
import type { SchemaIndex } from "../schema/schema-index.ts";
import type { SchemaRecord } from "./walk.ts";

/** What a schema accepts that says nothing. */
export const ANYTHING = "any value";

const MAX_LISTED = 50;
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
  return describeSchema(schema, { ...options, index, base, depth: 0, hops: 0 });
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
  const known = parts.find((part) => part !== ANYTHING);
  if (known !== undefined) return known;
  const implied = impliedType(schema);
  return implied === undefined ? ANYTHING : describeType(implied, schema, context);
}

function describeVariants(variants: readonly unknown[], context: Description): string {
  const values = variants.map(listedValues);
  if (values.every((listed) => listed !== undefined)) return listValues(values.flat());
  if (variants.length > MAX_VARIANTS) return `one of ${variants.length} variants`;
  return join(variants.map((variant) => describeSchema(variant, context)));
}

/** The values of a schema that is nothing but a list of them. */
function listedValues(schema: unknown): readonly unknown[] | undefined {
  if (!isRecord(schema)) return undefined;
  if (Object.hasOwn(schema, "const")) return [schema["const"]];
  return Array.isArray(schema["enum"]) ? schema["enum"] : undefined;
}

/** Alternatives, the plain words first, so that none reads as part of another's limits. */
function join(parts: readonly string[]): string {
  const isLong = (part: string): number => (part.includes(", ") ? 1 : 0);
  return [...new Set(parts)].toSorted((a, b) => isLong(a) - isLong(b)).join(" or ");
}

function impliedType(schema: SchemaRecord): string | undefined {
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

function describeType(type: string, schema: SchemaRecord, context: Description): string {
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

function describeNumber(type: string, schema: SchemaRecord): string {
  const { multipleOf } = schema;
  const limits = numberRange(schema);
  const step = typeof multipleOf === "number" ? `, a multiple of ${multipleOf}` : "";
  return `${type}${limits === "" ? "" : ` ${limits}`}${step}`;
}

function numberRange(schema: SchemaRecord): string {
  const { exclusiveMinimum, exclusiveMaximum } = schema;
  const minimum = bound(schema["minimum"]);
  const maximum = bound(schema["maximum"]);
  const above = exclusiveMinimum === true ? minimum : bound(exclusiveMinimum);
  const below = exclusiveMaximum === true ? maximum : bound(exclusiveMaximum);
  if (above === undefined && below === undefined) return range(minimum, maximum);
  const low = above === undefined ? range(minimum, undefined) : `above ${above}`;
  const high = below === undefined ? range(undefined, maximum) : `below ${below}`;
  return [low, high].filter((part) => part !== "").join(" and ");
}

/** A limit that says something: generators write the safe integers' limits where there is none. */
function bound(limit: unknown): number | undefined {
  return typeof limit === "number" && Math.abs(limit) < Number.MAX_SAFE_INTEGER ? limit : undefined;
}

function range(minimum: unknown, maximum: unknown): string {
  const hasMinimum = typeof minimum === "number";
  const hasMaximum = typeof maximum === "number";
  if (hasMinimum && hasMaximum) return `from ${minimum} to ${maximum}`;
  if (hasMinimum) return `at least ${minimum}`;
  return hasMaximum ? `at most ${maximum}` : "";
}

function describeString(schema: SchemaRecord, context: Description): string {
  const { format, pattern } = schema;
  const kind = typeof format === "string" ? describeFormat(format) : "string";
  const length = measured(schema["minLength"], schema["maxLength"], "character");
  const { withPattern } = context;
  const isTold = withPattern === true || (withPattern === "alone" && format === undefined);
  const shape = isTold && typeof pattern === "string" ? ` matching ${pattern}` : "";
  return `${kind}${length}${shape}`;
}

function describeArray(schema: SchemaRecord, context: Description): string {
  const items = isRecord(schema["items"]) ? describeSchema(schema["items"], context) : ANYTHING;
  const length = measured(schema["minItems"], schema["maxItems"], "item");
  return `array${items === ANYTHING ? "" : ` of ${items}`}${length}`;
}

function describeObject(schema: SchemaRecord, context: Description): string {
  const required = textsOf(schema["required"]);
  return required.length > 0 && context.depth <= MAX_DEPTH
    ? `object with ${listNames(required)}`
    : "object";
}

function measured(minimum: unknown, maximum: unknown, unit: string): string {
  const text = range(minimum === 0 && maximum !== undefined ? undefined : minimum, bound(maximum));
  if (text === "") return "";
  return `, ${text} ${text.endsWith(" 1") ? unit : `${unit}s`}`;
}

/** A count with its unit: `1 item`, `2 items`. */
export function plural(count: number, unit: string): string {
  return `${count} ${count === 1 ? unit : `${unit}s`}`;
}

/** Values as a model may send them; a single one stands for itself. */
export function listValues(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_LISTED).map((value) => JSON.stringify(value) ?? "null");
  if (values.length === 1) return shown.join("");
  return `one of ${shown.join(", ")}${more(values.length)}`;
}

/** Names, separated by commas. */
export function listNames(names: readonly string[]): string {
  return names.slice(0, MAX_LISTED).join(", ") + more(names.length);
}

function more(count: number): string {
  return count > MAX_LISTED ? ` and ${count - MAX_LISTED} more` : "";
}
