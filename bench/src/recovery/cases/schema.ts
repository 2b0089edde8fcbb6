import type { JsonSchema, SchemaObject } from "@toolcontract/core";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { isRecord, keysOf, valueAt } from "../json.ts";

const ajv = new Ajv2020({ strict: false, logger: false });
addFormats.default(ajv);

/** Follows a schema's `$ref`. */
export function resolveSchema(node: unknown, root: JsonSchema): SchemaObject {
  if (!isRecord(node)) return {};
  const { $ref, ...own } = node;
  if (typeof $ref !== "string") return node;
  const pointer = `/${keysOf($ref.replace(/^#/, "")).join("/")}`;
  return { ...resolveSchema(valueAt(root, pointer), root), ...own };
}

/** The variants of a union; empty if the schema is not one. */
export function variantsOf(schema: SchemaObject): readonly unknown[] {
  const variants = schema["anyOf"] ?? schema["oneOf"];
  return Array.isArray(variants) ? (variants as readonly unknown[]) : [];
}

/** Whether a subschema accepts a value. */
export function accepts(node: unknown, root: JsonSchema, value: unknown): boolean {
  if (!isRecord(node)) return node !== false;
  const $defs = isRecord(root) ? root["$defs"] : undefined;
  return ajv.validate({ ...node, ...($defs !== undefined && { $defs }) }, value);
}

const TYPE_WORDS: Readonly<Record<string, readonly string[]>> = {
  string: ["string", "text"],
  integer: ["integer", "int", "whole number"],
  number: ["number", "float", "numeric"],
  boolean: ["boolean", "bool"],
  array: ["array", "list", "tuple"],
  object: ["object", "record", "map"],
  null: ["null"],
};

/** The types that a schema declares or implies. */
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
  return Array.isArray(value) ? "array" : typeof value;
}

/** The words that name the expected type; any one of them will do. Empty if the schema has no type. */
export function wordsForTypes(schema: SchemaObject, sent?: unknown): readonly string[] {
  return typesOf(schema).flatMap((type) => [
    ...(TYPE_WORDS[type] ?? []),
    // "number" is enough for a model that sent a string for an integer, but not if it sent 1.5.
    ...(type === "integer" && typeof sent !== "number" ? ["number"] : []),
  ]);
}
