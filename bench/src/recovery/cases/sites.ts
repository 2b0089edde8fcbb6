import type { JsonSchema, SchemaObject } from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";
import { ajvAccepts } from "../../bare-ajv.ts";
import { childOf } from "@toolcontract/corrections";
import { resolveSchema, typesOf, variantsOf } from "../../schema.ts";
import words from "./words.json" with { type: "json" };

/** A place in a valid call, with its schema. */
export interface Site {
  readonly pointer: string;
  readonly schema: SchemaObject;
  readonly value: unknown;
  readonly optional: boolean;
  /** The keys declared by the object around it. */
  readonly siblings: readonly string[];
  /** Whether it is inside a union. */
  readonly inUnion: boolean;
  /** The types of the union's variants. */
  readonly variantTypes: readonly string[];
  readonly depth: number;
}

/** Lists the places of a call that its schema describes, the root first. */
export function sitesOf(root: JsonSchema, args: unknown): readonly Site[] {
  const sites: Site[] = [];
  visit(root, {
    pointer: "",
    value: args,
    optional: false,
    siblings: [],
    inUnion: false,
    depth: 0,
  });
  return sites;

  function visit(node: unknown, at: Omit<Site, "schema" | "variantTypes">): void {
    const { schema, chose, variantTypes } = choose(resolveSchema(node, root), at.value);
    const inUnion = at.inUnion || chose;
    const { pointer, value, depth } = at;
    sites.push({ ...at, schema, inUnion, variantTypes });
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        if (!isRecord(schema["items"])) break;
        const place = childOf(pointer, String(index));
        const rest = { optional: false, siblings: [], inUnion, depth: depth + 1 };
        visit(schema["items"], { ...rest, pointer: place, value: item });
      }
    }
    const { properties, required } = schema;
    if (!isRecord(value) || !isRecord(properties)) return;
    const siblings = Object.keys(properties);
    for (const key of siblings.filter((name) => Object.hasOwn(value, name))) {
      const optional = !(Array.isArray(required) && required.includes(key));
      const rest = { optional, siblings, inUnion, depth: depth + 1 };
      visit(properties[key], { ...rest, pointer: childOf(pointer, key), value: value[key] });
    }
  }

  /** Picks the variant that accepts the value; "or null" alone does not count as a union. */
  function choose(
    schema: SchemaObject,
    value: unknown,
  ): Pick<Site, "schema" | "variantTypes"> & { readonly chose: boolean } {
    const variants = variantsOf(schema);
    const meant = variants.find((variant) => accepts(variant, root, value));
    if (meant === undefined) return { schema, chose: false, variantTypes: [] };
    const { anyOf: _anyOf, oneOf: _oneOf, ...own } = schema;
    const real = variants.filter((variant) => resolveSchema(variant, root)["type"] !== "null");
    const inner = choose({ ...own, ...resolveSchema(meant, root) }, value);
    const types = real.flatMap((variant) => typesOf(resolveSchema(variant, root)));
    return {
      schema: inner.schema,
      chose: inner.chose || real.length > 1,
      variantTypes: [...types, ...inner.variantTypes],
    };
  }
}

/** Whether a subschema accepts a value. */
function accepts(node: unknown, root: JsonSchema, value: unknown): boolean {
  if (!isRecord(node)) return node !== false;
  const $defs = isRecord(root) ? root["$defs"] : undefined;
  const inputSchema = { ...node, ...($defs !== undefined && { $defs }) };
  return ajvAccepts({ name: "part", inputSchema })(value);
}

const types: Readonly<Record<string, readonly string[]>> = words.types;

/** The words that name the expected type; any one of them will do. Empty if the schema has no type. */
export function wordsForTypes(schema: SchemaObject, sent?: unknown): readonly string[] {
  return typesOf(schema).flatMap((type) => [
    ...(types[type] ?? []),
    // "number" is enough for a model that sent a string for an integer, but not if it sent 1.5.
    ...(type === "integer" && typeof sent !== "number" ? ["number"] : []),
  ]);
}
