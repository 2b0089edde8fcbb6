import {
  type JsonSchema,
  type SchemaObject,
  isRecord,
  jsonEqual,
  stringsOf,
  typesOf,
} from "../../shared/index.ts";
import { isNode, placesIn } from "./schema-places.ts";

/** What no value can meet, and what was surely meant. */
export type Impossible =
  /** Keywords that exclude each other: without them the rest holds. */
  | { readonly kind: "left-out"; readonly keywords: readonly string[] }
  /** A branch of `oneOf` takes all that another one takes, so that no value passes by the other: any of them will do. */
  | { readonly kind: "any-of" }
  /** Parts of `allOf` forbid what others ask for: together they close the object, which was surely meant. */
  | { readonly kind: "closed-parts" }
  /** OpenAPI's `nullable` where no `type` is that null could be added to. */
  | { readonly kind: "nullable" };

const RANGES = [
  ["minimum", "maximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
] as const;
/** Lists of which one entry has to fit. */
const LISTS = ["enum", "anyOf", "oneOf"];
const COMPOSING = ["$ref", "allOf", "anyOf", "oneOf"];
/** What stands beside a type and says nothing of its values. */
const REMARKS: ReadonlySet<string> = new Set([
  "type",
  "title",
  "description",
  "examples",
  "default",
]);

/** Whether any part of a schema asks for what no value can meet. */
export function asksInVain(schema: JsonSchema): boolean {
  return isNode(schema) && placesIn(schema).some(({ node }) => impossibleIn(node).length > 0);
}

/** Finds what a schema asks for in vain, whatever is in it. */
export function impossibleIn(schema: SchemaObject): readonly Impossible[] {
  const { nullable, type, oneOf, allOf } = schema;
  const found: Impossible[] = RANGES.filter(([low, high]) =>
    isAbove(schema[low], schema[high]),
  ).map((keywords) => ({ kind: "left-out", keywords }));
  const empty = LISTS.filter((keyword) => isEmptyList(schema[keyword]));
  if (empty.length > 0) found.push({ kind: "left-out", keywords: empty });
  if (isOtherThanListed(schema)) found.push({ kind: "left-out", keywords: ["enum"] });
  if (isUnlikeListed(schema)) found.push({ kind: "left-out", keywords: ["pattern"] });
  if (Array.isArray(allOf) && forbidEachOther(allOf)) found.push({ kind: "closed-parts" });
  if (Array.isArray(oneOf) && hasDeadBranch(oneOf)) found.push({ kind: "any-of" });
  const isComposed = COMPOSING.some((keyword) => Object.hasOwn(schema, keyword));
  if (nullable === true && type === undefined && isComposed) found.push({ kind: "nullable" });
  return found;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isAbove(low: unknown, high: unknown): boolean {
  return typeof low === "number" && typeof high === "number" && low > high;
}

function isOtherThanListed(schema: SchemaObject): boolean {
  const { const: only, enum: listed } = schema;
  if (!Object.hasOwn(schema, "const") || !Array.isArray(listed) || listed.length === 0)
    return false;
  return !listed.some((value) => jsonEqual(value, only));
}

/** Whether a pattern takes none of the strings that are listed beside it. */
function isUnlikeListed({ enum: listed, const: only, pattern }: SchemaObject): boolean {
  const values = (Array.isArray(listed) ? listed : [only]).filter(
    (value) => typeof value === "string" && value.length <= MAX_TESTED,
  );
  if (typeof pattern !== "string" || values.length === 0) return false;
  if (pattern.length > MAX_TESTED || !SIMPLE_PATTERN.test(pattern)) return false;
  try {
    const compiled = new RegExp(pattern, "u");
    return !values.some((value) => compiled.test(String(value)));
  } catch {
    return false;
  }
}

const MAX_TESTED = 64;
/** Without groups, and with few repeats, so that no text takes long. */
const SIMPLE_PATTERN = /^[^()*+?{]*(?:[*+?{][^()*+?{]*){0,3}$/;

/** Whether a part is closed to a field that another part requires. */
function forbidEachOther(parts: readonly unknown[]): boolean {
  const nodes = parts.filter(isRecord);
  return nodes.some(
    (closed) =>
      isClosed(closed) &&
      nodes.some(
        (other) =>
          other !== closed &&
          stringsOf(other["required"]).some((name) => !declaresProperty(closed, name)),
      ),
  );
}

function isClosed({ additionalProperties, patternProperties, $ref }: SchemaObject): boolean {
  return additionalProperties === false && patternProperties === undefined && $ref === undefined;
}

function declaresProperty({ properties }: SchemaObject, name: string): boolean {
  return isRecord(properties) && Object.hasOwn(properties, name);
}

/** Whether a branch takes every value of the types that another one is limited to. */
function hasDeadBranch(branches: readonly unknown[]): boolean {
  const open = branches.filter(isTypeAlone);
  return open.some((wide) =>
    branches.some((narrow) => narrow !== wide && isRecord(narrow) && isWithin(narrow, wide)),
  );
}

function isTypeAlone(branch: unknown): branch is SchemaObject {
  return (
    isRecord(branch) &&
    typesOf(branch).length > 0 &&
    Object.keys(branch).every((keyword) => REMARKS.has(keyword))
  );
}

function isWithin(narrow: SchemaObject, wide: SchemaObject): boolean {
  const taken = typesOf(wide);
  const types = stringsOf(typesOf(narrow));
  return (
    types.length > 0 &&
    types.every((type) => taken.includes(type) || (type === "integer" && taken.includes("number")))
  );
}
