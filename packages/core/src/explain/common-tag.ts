import { isRecord } from "./json-type.ts";
import type { SchemaRecord } from "./walk.ts";

/** The field that tells variants apart, and all its values. */
interface Tag {
  readonly name: string;
  readonly values: readonly unknown[];
}

/** The field to which every one of several objects gives values of its own; undefined where there is none. */
export function commonTag(variants: readonly (SchemaRecord | undefined)[]): Tag | undefined {
  const [first, ...others] = variants.map(fieldsOf);
  for (const [name, schema] of Object.entries(first ?? {})) {
    const values = [schema, ...others.map((fields) => fields[name])].map(listedValues);
    if (!values.every((listed) => listed !== undefined)) continue;
    const all = values.flat();
    if (new Set(all).size === all.length) return { name, values: all };
  }
  return undefined;
}

function fieldsOf(variant: SchemaRecord | undefined): SchemaRecord {
  return isRecord(variant?.["properties"]) ? variant["properties"] : {};
}

/** The values of a schema that is nothing but a list of them. */
export function listedValues(schema: unknown): readonly unknown[] | undefined {
  if (!isRecord(schema)) return undefined;
  if (Object.hasOwn(schema, "const")) return [schema["const"]];
  return Array.isArray(schema["enum"]) ? schema["enum"] : undefined;
}
