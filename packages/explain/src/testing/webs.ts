import type { SchemaObject } from "../shared/index.ts";

/** The schema of an object with these fields. */
export function object(properties: object, more: object = {}): SchemaObject {
  return { type: "object", properties, ...more };
}

/** A value in a value in a value. */
export function nest<Value>(depth: number, wrap: (inner: Value) => Value, leaf: Value): Value {
  let value = leaf;
  for (let level = 0; level < depth; level += 1) value = wrap(value);
  return value;
}

/** Definitions that name the next one twice, level by level, and the last of which is `leaf`. */
export function web(
  keyword: string,
  levels: number,
  leaf: object = { type: "integer" },
): SchemaObject {
  const definitions = Array.from({ length: levels }, (_, level) => {
    const next = { $ref: `#/$defs/d${level + 1}` };
    return [`d${level}`, { [keyword]: [next, next] }] as const;
  });
  const $defs = { ...Object.fromEntries(definitions), [`d${levels}`]: leaf };
  return { ...object({ x: { $ref: "#/$defs/d0" } }, { required: ["x"] }), $defs };
}

const NODE = { $ref: "#/$defs/node" };

/** A field of nodes of this kind, beside a field that takes one value only. */
export function ofNodes(node: object, more: object = {}): SchemaObject {
  return {
    ...object({ root: NODE, to: { enum: ["me"] } }, { required: ["root", "to"] }),
    $defs: { node, ...more },
  };
}

const child = object({ child: NODE });
const list = { type: "array", items: NODE };
const kind = (extra: string): object =>
  object({ left: NODE, [extra]: { type: "integer" } }, { required: ["left", extra] });

/** Nodes that check a child more than once, by the keywords that do. */
export const DOUBLING: Readonly<Record<string, SchemaObject>> = {
  "allOf of base and derived": ofNodes(
    { allOf: [{ $ref: "#/$defs/base" }, object({ child: NODE, own: {} })] },
    { base: child },
  ),
  "anyOf of two kinds with a field in common": ofNodes({
    anyOf: [child, object({ child: NODE, own: {} }, { required: ["own"] })],
  }),
  oneOf: ofNodes({ oneOf: [child, { type: "object", not: child }] }),
  "properties and patternProperties": ofNodes({ ...child, patternProperties: { "^c": NODE } }),
  "properties and dependentSchemas": ofNodes({ ...child, dependentSchemas: { child } }),
  "additionalProperties and unevaluatedProperties": ofNodes({
    type: "object",
    allOf: [{ additionalProperties: NODE }],
    anyOf: [{ additionalProperties: NODE }],
    unevaluatedProperties: NODE,
  }),
  "if and then": ofNodes({
    type: "object",
    ...Object.fromEntries(["if", "then"].map((key) => [key, child])),
  }),
  "a `not` of a `not`": ofNodes({ ...child, not: { not: child } }),
};

/** Nodes that check an item more than once. */
export const DOUBLING_ITEMS: Readonly<Record<string, SchemaObject>> = {
  "items and contains": ofNodes(object({ kids: { ...list, contains: NODE } })),
  "items in two parts": ofNodes(object({ kids: { allOf: [list, list] } })),
  "prefixItems and contains": ofNodes(
    object({ kids: { type: "array", prefixItems: [NODE], contains: NODE } }),
  ),
};

/** A union of two kinds of node that share a field: 2 to the power of its depth ways to read a value. */
export const EXPRESSION: SchemaObject = ofNodes({
  anyOf: [{ type: "integer" }, kind("extra0"), kind("extra1")],
});
