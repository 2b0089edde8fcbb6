import { JSON_TYPES, isRecord } from "../shared/index.ts";
import { flatten } from "./flatten.ts";
import { isGeminiField, isGeminiFormat } from "./gemini-form.ts";
import { withNote } from "./loosen.ts";
import { unknownToPython } from "./python-pattern.ts";

type Node = Readonly<Record<string, unknown>>;

const OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  string: ["minLength", "maxLength", "pattern", "format", "enum"],
  number: ["minimum", "maximum", "format"],
  integer: ["minimum", "maximum", "format"],
  array: ["items", "minItems", "maxItems"],
  object: ["properties", "required", "minProperties", "maxProperties"],
};
const SHARED = ["title", "description"];
const SIZES = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];
const MAX_DEPTH = 12;

/** Writes a schema in the older form of Gemini's declarations; never narrower than it was. */
export function toGeminiSchema(
  given: unknown,
  resolve: (reference: string) => unknown,
  path: readonly string[] = [],
): Node {
  const again = (one: unknown): Node => toGeminiSchema(one, resolve, [...path, ""]);
  if (!isRecord(given) || path.length > MAX_DEPTH) return {};
  const { $ref, allOf } = given;
  if (typeof $ref === "string") {
    if (path.includes($ref)) return notes(given);
    const target = toGeminiSchema(resolve($ref), resolve, [...path, $ref]);
    return target["anyOf"] === undefined ? { ...target, ...notes(given) } : target;
  }
  const union = given["anyOf"] ?? given["oneOf"];
  const isObject = given["type"] === "object" || isRecord(given["properties"]);
  if (Array.isArray(allOf) && (isObject || allOf.every(isObjectPart)))
    return again({ ...notes(given), ...flatObject(given, resolve) });
  if (Array.isArray(allOf) && given["type"] === undefined && union === undefined) {
    const [first] = allOf as readonly unknown[];
    const part = again(first);
    return part["anyOf"] === undefined ? { ...part, ...notes(given) } : part;
  }
  if (Array.isArray(union) && !isObject) {
    const branches = [
      ...union.map(again),
      ...(given["nullable"] === true ? [{ type: "null" }] : []),
    ];
    return anyOf(branches, notes(given));
  }
  const types = [given["type"]]
    .flat()
    .filter((one) => JSON_TYPES.includes(String(one))) as string[];
  if (given["nullable"] === true && types.length > 0) types.push("null");
  return ofTypes(given, [...new Set(types)], again);
}

function isObjectPart(part: unknown): boolean {
  return isRecord(part) && (part["type"] === "object" || isRecord(part["properties"]));
}

/** An object with the fields of all its parts. */
function flatObject(given: Node, resolve: (reference: string) => unknown): Node {
  const { properties, required } = flatten(given, resolve);
  return { type: "object", properties: Object.fromEntries(properties), required: [...required] };
}

function ofTypes(given: Node, types: readonly string[], again: (one: unknown) => Node): Node {
  const { described, values } = enumOf(given);
  const about = described === undefined ? given : { ...given, description: described };
  if (values !== undefined) {
    const texts = values.filter((one) => typeof one === "string");
    const text = { ...only(about, ["minLength", "maxLength"]), type: "string", enum: texts };
    // Without a type, the values say which one it is.
    const isNull = values.includes(null) && (types.length === 0 || types.includes("null"));
    if (isNull) return anyOf([text, { type: "null" }], notes(about));
    return { ...notes(about), ...text };
  }
  const branches = types.map((type) => ofType(about, type, again));
  if (branches.length > 1) return anyOf(branches, notes(about));
  return { ...notes(about), ...branches[0] };
}

/** The values of an enum or a const if all are strings; else a description that lists them. */
function enumOf(given: Node): {
  readonly described?: string;
  readonly values?: readonly unknown[];
} {
  const { enum: list, description } = given;
  const values = Object.hasOwn(given, "const") ? [given["const"]] : list;
  if (!Array.isArray(values) || values.length === 0) return {};
  const isText = values.every((one) => (typeof one === "string" && one !== "") || one === null);
  const types = [given["type"] ?? "string"].flat();
  if (isText && types.includes("string") && values.some((one) => one !== null)) return { values };
  const shown = values
    .slice(0, 30)
    .map((one) => JSON.stringify(one))
    .join(", ");
  return { described: withNote(description, `One of: ${shown}`) };
}

function ofType(given: Node, type: string, again: (one: unknown) => Node): Node {
  const limits = only(withInclusiveLimits(given), OF_TYPE[type] ?? []);
  const kept = Object.fromEntries(
    Object.entries(limits).filter(([keyword, value]) => isFit(keyword, value, type)),
  );
  if (type === "array") return { type, ...kept, items: again(itemsOf(given)) };
  if (type !== "object") return { type, ...kept };
  const { properties, required } = given;
  const fields = isRecord(properties)
    ? Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, again(one)]))
    : undefined;
  const names = Array.isArray(required)
    ? required.filter((one) => fields !== undefined && Object.hasOwn(fields, String(one)))
    : [];
  const { properties: _, required: __, ...sizes } = kept;
  return {
    type,
    ...sizes,
    ...(fields && { properties: fields }),
    ...(names.length > 0 && { required: names }),
  };
}

function isFit(keyword: string, value: unknown, type: string): boolean {
  if (!isGeminiField(keyword) || keyword === "enum") return false;
  if (keyword === "format") return isGeminiFormat(type, value);
  if (keyword === "pattern")
    return typeof value === "string" && unknownToPython(value) === undefined;
  if (SIZES.includes(keyword)) return Number.isInteger(value) && Number(value) >= 0;
  return keyword === "minimum" || keyword === "maximum" ? typeof value === "number" : true;
}

/** There are no limits that exclude themselves, so they are let in. */
function withInclusiveLimits(given: Node): Node {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = given;
  return {
    ...given,
    ...(minimum === undefined && typeof above === "number" && { minimum: above }),
    ...(maximum === undefined && typeof below === "number" && { maximum: below }),
  };
}

/** The schema of the items of an array: of a tuple, of any of its places if there are no others. */
function itemsOf({ items, prefixItems, additionalItems }: Node): unknown {
  const places = Array.isArray(items) ? items : prefixItems;
  if (!Array.isArray(places)) return items;
  const isClosed = Array.isArray(items) ? additionalItems === false : items === false;
  return isClosed && places.length > 0 ? { anyOf: places } : {};
}

/** A union, which stands alone: its description goes into its branches. */
function anyOf(branches: readonly Node[], about: Node): Node {
  const flat = branches.flatMap((one) =>
    Array.isArray(one["anyOf"]) ? (one["anyOf"] as readonly Node[]) : [one],
  );
  // A branch that takes anything leaves nothing to say of the others.
  if (flat.some((one) => Object.keys(one).every((key) => SHARED.includes(key)))) return about;
  const different = flat.filter(
    (one, index) =>
      flat.findIndex((other) => JSON.stringify(one) === JSON.stringify(other)) === index,
  );
  if (different.length === 1) return { ...different[0], ...about };
  return {
    anyOf: different.map((one) => (one["type"] === "null" ? one : { ...about, ...one })),
  };
}

function notes(given: Node): Node {
  return Object.fromEntries(
    Object.entries(only(given, SHARED)).filter(([, value]) => typeof value === "string"),
  );
}

function only(given: Node, keywords: readonly string[]): Node {
  return Object.fromEntries(
    keywords.filter((one) => given[one] !== undefined).map((one) => [one, given[one]]),
  );
}
