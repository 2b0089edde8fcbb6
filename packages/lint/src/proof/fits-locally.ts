import {
  JSON_TYPES,
  compilePattern,
  isRecord,
  jsonEqual,
  matchesType,
} from "@toolcontract/explain/adapter";
import type { SchemaNode } from "../shared/index.ts";
import { numbersOf, sizesOf } from "./ranges.ts";

/**
 * Whether a value passes the keywords of a schema that need no other schema. A value that does not is refused; one that
 * does may be refused for other reasons.
 */
export function fitsLocally(node: SchemaNode, value: unknown): boolean {
  const { const: only, enum: values, pattern } = node;
  const types = declaredTypes(node);
  if (types && !types.some((type) => matchesType(value, type))) return false;
  if (Object.hasOwn(node, "const") && !jsonEqual(only, value)) return false;
  if (Array.isArray(values) && !isListed(values, value)) return false;
  if (typeof value === "number") {
    const { least, most } = numbersOf([node]);
    return value >= least && value <= most;
  }
  if (typeof value === "string") {
    const { least, most } = sizesOf([node], "Length");
    // Characters are code points, of which there are at most as many as units.
    if (value.length < least || Array.from(value).length > most) return false;
    return typeof pattern !== "string" || compilePattern(pattern).test(value);
  }
  if (Array.isArray(value)) {
    const { least, most } = sizesOf([node], "Items");
    return value.length >= least && value.length <= most;
  }
  return true;
}

const keysOfLists = new WeakMap<readonly unknown[], ReadonlySet<string>>();

/** Whether a list has a value, in a time that does not grow with the list. */
function isListed(values: readonly unknown[], value: unknown): boolean {
  const known = keysOfLists.get(values) ?? new Set(values.map(keyOf));
  keysOfLists.set(values, known);
  return known.has(keyOf(value));
}

/** A string that equal values of JSON share, however their members are sorted. */
function keyOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(keyOf).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? "";
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${keyOf(value[name])}`).join(",")}}`;
}

/** The types that a schema allows by `type`; undefined for any, also if a name is unknown. */
export function declaredTypes({ type, nullable }: SchemaNode): readonly string[] | undefined {
  if (type === undefined) return undefined;
  const names: readonly unknown[] = [type].flat();
  if (names.length === 0) return undefined;
  if (!names.every((name) => typeof name === "string" && JSON_TYPES.includes(name)))
    return undefined;
  return nullable === true ? [...(names as string[]), "null"] : (names as string[]);
}
