import type { SchemaObject } from "@toolcontract/core";

const WORDS: Readonly<Record<string, readonly string[]>> = {
  string: ["string", "text"],
  integer: ["integer", "int", "whole number"],
  number: ["number", "float", "numeric"],
  boolean: ["boolean", "bool"],
  array: ["array", "list", "tuple"],
  object: ["object", "record", "map"],
  null: ["null"],
};

/** The types that a schema names, or that its values have. */
export function typesOf(schema: SchemaObject): readonly string[] {
  const { type } = schema as { readonly type?: unknown };
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type as readonly string[];
  const values = "const" in schema ? [schema["const"]] : schema["enum"];
  if (Array.isArray(values)) return [...new Set(values.map(typeOfValue))];
  if ("properties" in schema) return ["object"];
  return "items" in schema ? ["array"] : [];
}

/** The JSON type of a value. */
export function typeOfValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

/** The words for what a schema asks for, any of which says it; none where it asks for nothing. */
export function wordsForTypes(schema: SchemaObject, sent?: unknown): readonly string[] {
  return typesOf(schema).flatMap((type) => [
    ...(WORDS[type] ?? []),
    // Who sent a text for a whole number knows enough with "number"; who sent 1.5 does not.
    ...(type === "integer" && typeof sent !== "number" ? ["number"] : []),
  ]);
}
