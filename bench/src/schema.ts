import type { JsonSchema, SchemaObject } from "@toolcontract/core";
import { isRecord, pointerKeys } from "@toolcontract/core/adapter";
import { valueAt } from "@toolcontract/corrections";

/** Follows a schema's `$ref`. */
export function resolveSchema(node: unknown, root: JsonSchema): SchemaObject {
  if (!isRecord(node)) return {};
  const { $ref, ...own } = node;
  if (typeof $ref !== "string") return node;
  const pointer = `/${pointerKeys($ref.replace(/^#/, "")).join("/")}`;
  return { ...resolveSchema(valueAt(root, pointer), root), ...own };
}

/** The variants of a union; empty if the schema is not one. */
export function variantsOf(schema: SchemaObject): readonly unknown[] {
  const variants = schema["anyOf"] ?? schema["oneOf"];
  return Array.isArray(variants) ? (variants as readonly unknown[]) : [];
}

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
