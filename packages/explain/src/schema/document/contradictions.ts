import {
  type JsonSchema,
  type SchemaObject,
  jsonPointer,
  matchesType,
  typesOf,
} from "../../shared/index.ts";
import { type Dialect, dialectsOf, refOverrides } from "./schema-index.ts";
import { isNode, placesIn } from "./schema-places.ts";

/** A list of values none of which has the type that is declared beside it, so that no value passes. */
export interface Contradiction {
  /** JSON Pointer to the `enum` or `const`. */
  readonly pointer: string;
  /** The declared types. */
  readonly types: readonly string[];
  /** What was surely meant: the values of an array's items, or the values, whatever their type. */
  readonly meant: "items" | "values";
}

/** Finds the places of a schema that no value can pass, because `enum` or `const` contradicts `type`. */
export function contradictionsIn(schema: JsonSchema): readonly Contradiction[] {
  const [dialect = "2020-12"] = dialectsOf(schema);
  if (!isNode(schema)) return [];
  return placesIn(schema).flatMap(({ node, pointer }) => {
    const found = contradictionAt(node, dialect);
    if (found === undefined) return [];
    const { keyword, types, meant } = found;
    return [{ pointer: pointer + jsonPointer([keyword]), types, meant }];
  });
}

/** Finds the contradiction between a schema's own `type` and its values. */
export function contradictionAt(
  schema: SchemaObject,
  dialect: Dialect,
): (Omit<Contradiction, "pointer"> & { readonly keyword: "enum" | "const" }) | undefined {
  const { type, enum: listed, $ref } = schema;
  if (type === undefined || (typeof $ref === "string" && refOverrides(dialect))) return undefined;
  const keyword = Object.hasOwn(schema, "const") ? "const" : "enum";
  const values: unknown = keyword === "const" ? [schema["const"]] : listed;
  const types = typesOf(schema);
  if (!Array.isArray(values) || values.length === 0 || types.length === 0) return undefined;
  if (values.some((value) => types.some((name) => matchesType(value, name)))) return undefined;
  const isOfItems = keyword === "enum" && types.includes("array");
  return { keyword, types, meant: isOfItems ? "items" : "values" };
}
