import { isRecord } from "../explain/json-type.ts";
import type { SchemaIndex, SchemaNode } from "./schema-index.ts";
import { subschemas } from "./subschemas.ts";

/** Tells whether a schema reaches itself through its references. */
export function isRecursive(index: SchemaIndex): boolean {
  const open = new Set<unknown>();
  const done = new Set<unknown>();

  function reachesItself({ schema, base }: SchemaNode): boolean {
    if (!isRecord(schema) || done.has(schema)) return false;
    if (open.has(schema)) return true;
    open.add(schema);
    const inner = index.baseOf(schema, base);
    const { $ref } = schema;
    const target = typeof $ref === "string" ? index.resolve($ref, inner) : undefined;
    const children = [...subschemas(schema)].map((child) => ({ schema: child, base: inner }));
    const found = [...children, ...(target ? [target] : [])].some(reachesItself);
    open.delete(schema);
    done.add(schema);
    return found;
  }

  return reachesItself(index.root);
}
