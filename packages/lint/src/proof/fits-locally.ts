import { compilePattern, jsonEqual, matchesType } from "@toolcontract/explain/adapter";
import type { SchemaNode } from "../shared/index.ts";
import { numbersOf, sizesOf } from "./ranges.ts";

const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"];

/**
 * Whether a value passes the keywords of a schema that need no other schema. A value that does not is refused; one that
 * does may be refused for other reasons.
 */
export function fitsLocally(node: SchemaNode, value: unknown): boolean {
  const { const: only, enum: values, pattern } = node;
  const types = declaredTypes(node);
  if (types && !types.some((type) => matchesType(value, type))) return false;
  if (Object.hasOwn(node, "const") && !jsonEqual(only, value)) return false;
  if (Array.isArray(values) && !values.some((one) => jsonEqual(one, value))) return false;
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

/** The types that a schema allows by `type`; undefined for any, also if a name is unknown. */
export function declaredTypes({ type, nullable }: SchemaNode): readonly string[] | undefined {
  if (type === undefined) return undefined;
  const names: readonly unknown[] = [type].flat();
  if (names.length === 0) return undefined;
  if (!names.every((name) => typeof name === "string" && TYPES.includes(name))) return undefined;
  return nullable === true ? [...(names as string[]), "null"] : (names as string[]);
}
