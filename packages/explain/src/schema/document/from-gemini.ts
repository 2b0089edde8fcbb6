import { type JsonSchema, type SchemaObject, isRecord } from "../../shared/index.ts";

/** Limits, which Gemini writes as strings because they are 64 bits wide. */
const LIMITS: ReadonlySet<string> = new Set([
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
]);

/** What says nothing about a value, or is written in another form here. */
const REWRITTEN: ReadonlySet<string> = new Set([
  "__proto__",
  "anyOf",
  "enum",
  "nullable",
  "propertyOrdering",
  "type",
]);

/**
 * Converts a schema as Gemini's functions declare it to JSON Schema: types in capitals, limits as strings, `nullable`. What is
 * JSON Schema already keeps its meaning, and what is not known is kept as it is.
 */
export function fromGeminiSchema(schema: unknown): JsonSchema {
  if (typeof schema === "boolean") return schema;
  return isRecord(schema) ? convertSchema(schema, new Map()) : {};
}

/** The schemas that are converted, so that one that contains itself ends. */
type Done = Map<object, Record<string, unknown>>;

function convertSchema(schema: SchemaObject, done: Done): SchemaObject {
  const known = done.get(schema);
  if (known) return known;
  const converted: Record<string, unknown> = {};
  done.set(schema, converted);
  const inner = (value: unknown): unknown => (isRecord(value) ? convertSchema(value, done) : value);
  Object.assign(converted, typeFromGemini(schema), enumOf(schema), anyOf(schema, inner));
  for (const [name, value] of Object.entries(schema)) {
    if (REWRITTEN.has(name)) continue;
    converted[name] = memberFromGemini(name, value, inner);
  }
  return converted;
}

function memberFromGemini(
  name: string,
  value: unknown,
  inner: (value: unknown) => unknown,
): unknown {
  if (name === "items") return inner(value);
  if (LIMITS.has(name)) return limitFromGemini(value);
  if (name !== "properties" || !isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inner(member)]));
}

function typeFromGemini({ type, nullable }: SchemaObject): SchemaObject {
  if (typeof type !== "string") return type === undefined ? {} : { type };
  const name = type.toLowerCase();
  if (name === "type_unspecified") return {};
  return { type: nullable === true && name !== "null" ? [name, "null"] : name };
}

function enumOf({ enum: values, nullable }: SchemaObject): SchemaObject {
  if (values === undefined) return {};
  const isOpen = nullable === true && Array.isArray(values) && !values.includes(null);
  return { enum: isOpen ? [...(values as readonly unknown[]), null] : values };
}

function anyOf(
  { anyOf: branches, nullable, type }: SchemaObject,
  inner: (value: unknown) => unknown,
): SchemaObject {
  if (branches === undefined) return {};
  if (!Array.isArray(branches)) return { anyOf: branches };
  const converted = branches.map(inner);
  const isOpen = nullable === true && type === undefined;
  return { anyOf: isOpen ? [...converted, { type: "null" }] : converted };
}

function limitFromGemini(value: unknown): unknown {
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
}
