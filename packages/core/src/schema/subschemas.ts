import { isRecord } from "../explain/json-type.ts";

const MAPS = [
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies",
];
const LISTS = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];
const SINGLES = [
  "not",
  "if",
  "then",
  "else",
  "items",
  "additionalItems",
  "contains",
  "propertyNames",
  "additionalProperties",
  "unevaluatedItems",
  "unevaluatedProperties",
  "contentSchema",
];

/** The schemas directly inside a schema, where its keywords put them and nowhere else. */
export function* subschemas(schema: Readonly<Record<string, unknown>>): Generator {
  for (const keyword of MAPS) {
    const map = schema[keyword];
    if (isRecord(map)) yield* Object.values(map);
  }
  for (const keyword of LISTS) {
    const list = schema[keyword];
    if (Array.isArray(list)) yield* list;
  }
  for (const keyword of SINGLES) yield schema[keyword];
}
