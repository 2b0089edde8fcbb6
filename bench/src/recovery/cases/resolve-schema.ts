import type { JsonSchema, SchemaObject } from "@toolcontract/core";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { keysOf, valueAt } from "../pointer.ts";

const ajv = new Ajv2020({ strict: false, logger: false });
addFormats.default(ajv);

/** A schema as a plain object, its reference followed and its parts joined. */
export function resolveSchema(node: unknown, root: JsonSchema): SchemaObject {
  if (!isRecord(node)) return {};
  const { $ref } = node;
  if (typeof $ref === "string") {
    const { $ref: _, ...own } = node;
    const pointer = `/${keysOf($ref.replace(/^#/, "")).join("/")}`;
    return { ...resolveSchema(valueAt(root, pointer), root), ...own };
  }
  const { allOf } = node;
  if (!Array.isArray(allOf)) return node;
  const { allOf: _, ...own } = node;
  return Object.assign({}, ...allOf.map((part) => resolveSchema(part, root)), own) as SchemaObject;
}

/** The variants of a schema; none where it offers no choice. */
export function variantsOf(schema: SchemaObject): readonly unknown[] {
  const variants = schema["anyOf"] ?? schema["oneOf"];
  return Array.isArray(variants) ? (variants as readonly unknown[]) : [];
}

/** Whether a part of a schema accepts a value. */
export function accepts(node: unknown, root: JsonSchema, value: unknown): boolean {
  if (!isRecord(node)) return node !== false;
  const shared: SchemaObject = typeof root === "object" ? root : {};
  const { $defs, definitions } = shared;
  try {
    return ajv.validate(
      {
        ...node,
        ...($defs !== undefined && { $defs }),
        ...(definitions !== undefined && { definitions }),
      },
      value,
    );
  } catch {
    return false;
  }
}

/** Whether a value is a plain object. */
export function isRecord(value: unknown): value is SchemaObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
