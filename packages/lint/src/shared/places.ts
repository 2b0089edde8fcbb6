import type { JsonSchema } from "@toolcontract/explain";
import { isRecord, subschemaPlaces } from "@toolcontract/explain/adapter";
import { join } from "./pointer.ts";

/** The object form of a JSON Schema. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** A schema inside another one. */
export interface Place {
  readonly node: SchemaNode;
  /** JSON Pointer from the root schema. */
  readonly pointer: string;
  readonly parent: Place | undefined;
  /** The keys from the parent. */
  readonly keys: readonly string[];
  /** How many objects and arrays of values are around it. */
  readonly depth: number;
}

/** A property of an object. */
export interface FieldPlace extends Place {
  readonly parent: Place;
  readonly name: string;
  readonly isRequired: boolean;
}

const MAX_PLACES = 20_000;

/** All schemas of a document, each before those inside it. */
export function placesOf(schema: JsonSchema | undefined): readonly Place[] {
  if (!isRecord(schema)) return [];
  const places: Place[] = [{ node: schema, pointer: "", parent: undefined, keys: [], depth: 0 }];
  for (const place of places) {
    if (places.length >= MAX_PLACES) break;
    for (const { holder, key, keys } of subschemaPlaces(place.node)) {
      const node = holder[key];
      if (!isRecord(node)) continue;
      const depth = place.depth + (STEPS.has(keys[0] ?? "") ? 1 : 0);
      places.push({ node, pointer: join(place.pointer, ...keys), parent: place, keys, depth });
    }
  }
  return places;
}

const STEPS = new Set([
  "properties",
  "patternProperties",
  "additionalProperties",
  "items",
  "prefixItems",
]);

/** The properties among the schemas of a document. */
export function fieldsOf(places: readonly Place[]): readonly FieldPlace[] {
  return places.flatMap((place) => {
    const [keyword, name] = place.keys;
    if (keyword !== "properties" || name === undefined || !place.parent) return [];
    const { required } = place.parent.node;
    const isRequired = Array.isArray(required) && required.includes(name);
    return [{ ...place, parent: place.parent, name, isRequired }];
  });
}

/** Whether values must not match a schema, or only choose another one by it. */
export function isNegated({ keys, parent }: Place): boolean {
  return keys[0] === "not" || keys[0] === "if" || (parent !== undefined && isNegated(parent));
}

/** The names of the types that a schema allows by `type`. */
export function namedTypes({ type }: SchemaNode): readonly string[] {
  return [type].flat().filter((one) => typeof one === "string");
}

/** A schema's description; empty if it has none. */
export function descriptionOf({ description, title }: SchemaNode): string {
  if (typeof description === "string") return description;
  return typeof title === "string" ? title : "";
}
