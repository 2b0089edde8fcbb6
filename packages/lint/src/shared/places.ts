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

/** All schemas that values are held against, each before those inside it: of the definitions, those that something refers to. */
export function placesOf(schema: JsonSchema | undefined): readonly Place[] {
  if (!isRecord(schema)) return [];
  const places: Place[] = [{ node: schema, pointer: "", parent: undefined, keys: [], depth: 0 }];
  const definitions = createDefinitions((place) => places.push(place));
  for (const place of places) {
    if (places.length >= MAX_PLACES) break;
    definitions.refer(place.node);
    for (const { holder, key, keys } of subschemaPlaces(place.node)) {
      const node = holder[key];
      if (!isRecord(node)) continue;
      const depth = place.depth + (STEPS.has(keys[0] ?? "") ? 1 : 0);
      const found = { node, pointer: join(place.pointer, ...keys), parent: place, keys, depth };
      if (DEFINITIONS.has(keys[0] ?? "")) definitions.hold(found);
      else places.push(found);
    }
  }
  return places;
}

const DEFINITIONS = new Set(["$defs", "definitions"]);

/** Holds definitions back until something refers to them, and then gives them to `release`. */
function createDefinitions(release: (place: Place) => void): {
  readonly refer: (node: SchemaNode) => void;
  readonly hold: (place: Place) => void;
} {
  const held = new Map<string, Place>();
  const wanted = new Set<string>();
  let isAnyWanted = false;

  function free(pointer: string): void {
    const place = held.get(pointer);
    if (place && held.delete(pointer)) release(place);
  }
  return {
    refer({ $ref, $dynamicRef }) {
      const target = typeof $ref === "string" ? pointerIn($ref) : undefined;
      // Where a name or an address leads is not known here.
      if ((typeof $ref === "string" && target === undefined) || $dynamicRef !== undefined) {
        isAnyWanted = true;
        for (const pointer of held.keys()) free(pointer);
      }
      for (const pointer of prefixesOf(target ?? "")) {
        wanted.add(pointer);
        free(pointer);
      }
    },
    hold(place) {
      if (isAnyWanted || wanted.has(place.pointer)) release(place);
      else held.set(place.pointer, place);
    },
  };
}

/** A JSON Pointer, and those of what is around it. */
function prefixesOf(pointer: string): readonly string[] {
  const keys = pointer.split("/");
  return keys.slice(1).map((_, index) => keys.slice(0, index + 2).join("/"));
}

/** The JSON Pointer of a reference into the same document. */
function pointerIn(reference: string): string | undefined {
  if (!/^#(?:\/|$)/.test(reference)) return undefined;
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return undefined;
  }
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
  const requiredOf = new Map<Place, ReadonlySet<unknown>>();
  return places.flatMap((place) => {
    const [keyword, name] = place.keys;
    const { parent } = place;
    if (keyword !== "properties" || name === undefined || !parent) return [];
    const required = requiredOf.get(parent) ?? requiredNames(parent.node);
    requiredOf.set(parent, required);
    return [{ ...place, parent, name, isRequired: required.has(name) }];
  });
}

/** What a schema requires. */
export function requiredNames({ required }: SchemaNode): ReadonlySet<unknown> {
  return new Set(Array.isArray(required) ? (required as readonly unknown[]) : []);
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
