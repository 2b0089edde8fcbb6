import { type SchemaParts, isRecord } from "@toolcontract/explain/adapter";
import type { SchemaNode } from "../shared/index.ts";

const MAX_CONJUNCTS = 50;

/** The schemas that a value must match all at once: a schema, what it refers to, and its `allOf`; undefined if one is unknown. */
export function conjunctsOf(
  node: SchemaNode,
  parts: SchemaParts,
  found: Set<SchemaNode> = new Set(),
): ReadonlySet<SchemaNode> {
  if (found.has(node) || found.size >= MAX_CONJUNCTS) return found;
  const { $ref, allOf } = node;
  const target = typeof $ref === "string" ? parts.resolve($ref) : undefined;
  // The siblings of a reference do not apply in older dialects.
  if (!(typeof $ref === "string" && parts.refOverrides)) found.add(node);
  if (isRecord(target)) conjunctsOf(target, parts, found);
  if (found.has(node) && Array.isArray(allOf))
    for (const part of allOf) if (isRecord(part)) conjunctsOf(part, parts, found);
  return found;
}
