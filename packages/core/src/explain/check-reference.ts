import { addEvaluated } from "./evaluated.ts";
import { isRecord } from "./json-type.ts";
import type { SchemaNode } from "../schema/schema-index.ts";
import type { Location, Outcome, SchemaRecord, Walk } from "./walk.ts";

/** `$ref`, `$dynamicRef` and `$recursiveRef`; what lies outside of the document lets everything pass. */
export function checkReference(
  walk: Walk,
  location: Location,
  schema: SchemaRecord,
  outcome: Outcome,
): void {
  for (const target of targetsOf(walk, location, schema)) {
    const { findings, evaluated } = walk.visit({
      ...location,
      schema: target.schema,
      base: target.base,
      depth: location.depth + 1,
    });
    outcome.findings.push(...findings);
    addEvaluated(outcome.evaluated, evaluated);
  }
}

function targetsOf(walk: Walk, location: Location, schema: SchemaRecord): readonly SchemaNode[] {
  const { $ref, $dynamicRef, $recursiveRef } = schema;
  const { dialect, resolve } = walk.index;
  return [
    typeof $ref === "string" ? resolve($ref, location.base) : undefined,
    typeof $dynamicRef === "string" && dialect === "2020-12"
      ? dynamicTarget(walk, location, $dynamicRef)
      : undefined,
    $recursiveRef === "#" && dialect === "2019-09" ? recursiveTarget(walk, location) : undefined,
  ].filter((target) => target !== undefined);
}

function dynamicTarget(walk: Walk, location: Location, reference: string): SchemaNode | undefined {
  const target = walk.index.resolve(reference, location.base);
  const name = reference.slice(reference.indexOf("#") + 1);
  if (!isRecord(target?.schema) || target.schema["$dynamicAnchor"] !== name) return target;
  for (const base of location.scope) {
    const found = walk.index.dynamicAnchor(base, name);
    if (found) return found;
  }
  return target;
}

function recursiveTarget(walk: Walk, location: Location): SchemaNode | undefined {
  const target = walk.index.resolve("#", location.base);
  const isAnchor = (node: SchemaNode | undefined): boolean =>
    isRecord(node?.schema) && node.schema["$recursiveAnchor"] === true;
  if (!isAnchor(target)) return target;
  for (const base of location.scope) {
    const found = walk.index.resolve("#", base);
    if (isAnchor(found)) return found;
  }
  return target;
}
