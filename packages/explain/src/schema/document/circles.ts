import { isRecord } from "../../shared/index.ts";
import { type ResolvedSchema, type SchemaIndex, schemasBeside } from "./schema-index.ts";
import { placesIn } from "./schema-places.ts";

/** Whether a reference of a schema leads back to it without looking any further into the value. */
export function hasCircle(index: SchemaIndex): boolean {
  const { schema } = index.root;
  if (!isRecord(schema)) return false;
  return placesIn(schema, index).some(({ node, base }) => {
    const { $ref } = node;
    const target = typeof $ref === "string" && index.resolve($ref, index.baseOf(node, base));
    return target ? leadsBack(index, target, node) : false;
  });
}

/** Whether a schema applies another one to the same value. */
export function leadsBack(index: SchemaIndex, from: ResolvedSchema, to: unknown): boolean {
  const seen = new Set<unknown>();
  const pending = [from];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { schema } = next;
    if (schema === to) return true;
    if (!isRecord(schema) || seen.has(schema)) continue;
    seen.add(schema);
    const base = index.baseOf(schema, next.base);
    // One by one: there may be more than a call takes arguments.
    for (const other of schemasBeside(index, schema, base)) pending.push(other);
  }
  return false;
}
