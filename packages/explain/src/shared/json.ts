/** A JSON Schema: an object of any dialect, or the boolean schemas `true` and `false`. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/** The object form of a JSON Schema. */
export type SchemaObject = Exclude<JsonSchema, boolean>;

/** The JSON type of a value; `"other"` for values that JSON cannot represent. */
export type JsonType = "null" | "boolean" | "number" | "string" | "array" | "object" | "other";

/** The type names of JSON Schema. */
export const JSON_TYPES: readonly string[] = [
  "string",
  "number",
  "integer",
  "boolean",
  "null",
  "array",
  "object",
];

/** Names the JSON type of a value. */
export function jsonTypeOf(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  switch (type) {
    case "boolean":
    case "string":
    case "object":
      return type;
    case "number":
      return Number.isFinite(value) ? "number" : "other";
    default:
      return "other";
  }
}

/** Checks for an object that is not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Checks for an own property whose value is not `undefined`. */
export function hasField(value: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== undefined;
}

/** Checks a value against one type name of the `type` keyword. */
export function matchesType(value: unknown, type: string): boolean {
  return type === "integer" ? Number.isInteger(value) : jsonTypeOf(value) === type;
}

/** The type names of a schema's `type` keyword, including `null` if OpenAPI's `nullable` is set. */
export function typesOf(schema: Readonly<Record<string, unknown>>): readonly string[] {
  const { type, nullable } = schema;
  const types = typeof type === "string" ? [type] : stringsOf(type);
  return nullable === true && types.length > 0 && !types.includes("null")
    ? [...types, "null"]
    : types;
}

/** The strings in an array; empty for anything else. */
export function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The value of a JSON string; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of a JSON string; any other string as it is. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Whether a string is JSON as it is. */
export function isJson(text: string): boolean {
  return parseJson(text) !== undefined;
}

/** Compares two JSON values, ignoring the order of keys. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => jsonEqual(item, b[index]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && jsonEqual(a[name], b[name]))
  );
}

/**
 * Numbers the arrays and objects of a value, equal ones alike. Each is read once, however many arrays around it have to
 * tell their items apart.
 */
export type Identify = (container: object) => number;

/** Creates the numbers of one value, which must not change meanwhile. */
export function createIdentities(): Identify {
  const known = new Map<object, number>();
  const byText = new Map<string, number>();

  function textOf(value: unknown): string {
    if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
    return `#${identify(value)}`;
  }

  function identify(container: object): number {
    const before = known.get(container);
    if (before !== undefined) return before;
    const text = Array.isArray(container)
      ? `[${container.map(textOf).join(",")}]`
      : `{${Object.entries(container)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`)
          .join(",")}}`;
    const identity = byText.get(text) ?? byText.size;
    byText.set(text, identity);
    known.set(container, identity);
    return identity;
  }

  return identify;
}

/** Finds the indexes of the first two equal items among the first `limit`; undefined if all differ. */
export function duplicateItems(
  items: readonly unknown[],
  limit: number,
  identify: Identify = createIdentities(),
): readonly [number, number] | undefined {
  const [scalars, containers] = [new Set<unknown>(), new Map<number, number>()];
  const end = Math.min(items.length, limit);
  for (let index = 0; index < end; index += 1) {
    const item = items[index];
    if (typeof item !== "object" || item === null) {
      // One look for each item: a list may have a million.
      const { size } = scalars;
      if (scalars.add(item).size === size) return [items.indexOf(item), index];
      continue;
    }
    const identity = identify(item);
    const first = containers.get(identity);
    if (first !== undefined) return [first, index];
    containers.set(identity, index);
  }
  return undefined;
}

/** JSON text with sorted keys: the same for equal values only. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? "undefined";
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(value[name])}`).join(",")}}`;
}
