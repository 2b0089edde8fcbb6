import type { JsonSchema, SchemaObject } from "@toolcontract/core";
import { childOf } from "../pointer.ts";
import { typesOf } from "./type-words.ts";
import { accepts, isRecord, resolveSchema, variantsOf } from "./resolve-schema.ts";

/** A place in a valid call where something can go wrong. */
export interface Site {
  readonly pointer: string;
  readonly schema: SchemaObject;
  readonly value: unknown;
  /** The field may be left out. */
  readonly optional: boolean;
  /** The keys that its object declares. */
  readonly siblings: readonly string[];
  /** A choice of variants is on the way. */
  readonly inUnion: boolean;
  /** The types that variants of its choice have. */
  readonly variantTypes: readonly string[];
  readonly depth: number;
}

/** All places of a call that its schema describes, the root first. */
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

  /** The variant that accepts the value; a mere "or null" is no choice. */
  function choose(schema: SchemaObject, value: unknown): Choice {
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

interface Choice {
  readonly schema: SchemaObject;
  readonly chose: boolean;
  readonly variantTypes: readonly string[];
}
