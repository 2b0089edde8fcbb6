import { isRecord, jsonPointer } from "../../shared/index.ts";
import { type SchemaIndex, subschemaPlaces } from "./schema-index.ts";

/** The most subschemas of a document that are looked at. */
export const MAX_NODES = 20_000;

/** A subschema that may be changed. */
export type Node = Record<string, unknown>;

/** A subschema, its JSON Pointer, and the base URI around it. */
export interface SchemaPlace {
  readonly node: Node;
  readonly pointer: string;
  readonly base: string;
}

/** Whether a value is a subschema with keywords. */
export function isNode(value: unknown): value is Node {
  return isRecord(value);
}

/** A regular expression of a schema, and its JSON Pointer. */
export interface PatternPlace {
  readonly source: string;
  readonly pointer: string;
}

/** Lists the regular expressions of a schema. */
export function patternPlaces(schema: unknown): readonly PatternPlace[] {
  if (!isNode(schema)) return [];
  return placesIn(schema).flatMap(({ node, pointer }) => {
    const { pattern, patternProperties } = node;
    const keys = isRecord(patternProperties) ? Object.keys(patternProperties) : [];
    return [
      ...(typeof pattern === "string"
        ? [{ source: pattern, pointer: pointer + jsonPointer(["pattern"]) }]
        : []),
      ...keys.map((source) => ({
        source,
        pointer: pointer + jsonPointer(["patternProperties", source]),
      })),
    ];
  });
}

/** Lists all subschemas of a document, each before those inside it. */
export function placesIn(root: Node, index?: SchemaIndex): readonly SchemaPlace[] {
  const places: SchemaPlace[] = [{ node: root, pointer: "", base: index?.root.base ?? "" }];
  for (const { node, pointer, base } of places) {
    if (places.length >= MAX_NODES) break;
    const inner = index?.baseOf(node, base) ?? base;
    for (const { holder, key, keys } of subschemaPlaces(node)) {
      const child = holder[key];
      if (isNode(child))
        places.push({ node: child, pointer: pointer + jsonPointer(keys), base: inner });
    }
  }
  return places;
}
