import type { SchemaObject } from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";

/** A schema for a property, and what belongs to the root of the schema around it. */
interface Nested {
  readonly schema: SchemaObject;
  readonly root: SchemaObject;
}

const DEFINITIONS: ReadonlySet<string> = new Set(["$defs", "definitions"]);
/** Keywords whose value maps names to schemas. */
const MAPS: ReadonlySet<string> = new Set([
  ...DEFINITIONS,
  "properties",
  "patternProperties",
  "dependentSchemas",
]);
/** Keywords whose value is data. */
const DATA: ReadonlySet<string> = new Set(["const", "enum", "default", "example", "examples"]);

/**
 * Makes a schema usable as that of a property: definitions move to the root, and references that begin at the root
 * (`#`, `#/properties/…`) begin at the property.
 */
export function nestSchema(schema: SchemaObject, property: string): Nested {
  // References inside a schema with an id of its own begin at that id.
  if (typeof schema["$id"] === "string") return { schema, root: {} };
  const moved = move(schema, `#/properties/${property}`);
  const entries = Object.entries(moved);
  const isRootly = ([keyword]: readonly [string, unknown]): boolean =>
    keyword === "$schema" || DEFINITIONS.has(keyword);
  return {
    schema: Object.fromEntries(entries.filter((entry) => !isRootly(entry))),
    root: Object.fromEntries(entries.filter(isRootly)),
  };
}

function move(schema: SchemaObject, to: string): SchemaObject {
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (keyword === "$ref") return [keyword, moveReference(value, to)];
    if (DATA.has(keyword)) return [keyword, value];
    return [keyword, MAPS.has(keyword) ? moveEach(value, to) : moveAny(value, to)];
  });
  return Object.fromEntries(entries) as SchemaObject;
}

function moveEach(schemas: unknown, to: string): unknown {
  if (!isRecord(schemas)) return schemas;
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, moveAny(schema, to)]),
  );
}

function moveAny(value: unknown, to: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => moveAny(item, to));
  return isRecord(value) ? move(value, to) : value;
}

function moveReference(reference: unknown, to: string): unknown {
  if (typeof reference !== "string") return reference;
  if (reference === "#") return to;
  const isMoved = reference.startsWith("#/") && !DEFINITIONS.has(reference.split("/")[1] ?? "");
  return isMoved ? `${to}${reference.slice(1)}` : reference;
}
