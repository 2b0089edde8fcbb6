import {
  type SchemaParts,
  compilePattern,
  isRecord,
  jsonTypeOf,
} from "@toolcontract/explain/adapter";
import type { SchemaNode } from "../shared/index.ts";
import { conjunctsOf } from "./conjuncts.ts";
import { declaredTypes, fitsLocally } from "./fits-locally.ts";
import { numbersOf, sizesOf } from "./ranges.ts";

const ALL_TYPES: readonly string[] = ["null", "boolean", "number", "string", "array", "object"];
const MAX_DEPTH = 8;

/** The types of the values that may pass; with none, why. */
interface Possible {
  readonly types: ReadonlySet<string>;
  readonly reason: string | undefined;
}

/**
 * Says why no value can pass a schema, or undefined if that is not proven.
 *
 * Only keywords that contradict each other in this schema count, not what is wrong with a schema inside it.
 */
export function contradictionIn(node: SchemaNode, parts: SchemaParts): string | undefined {
  const conjuncts = conjunctsOf(node, parts);
  const others = [...conjuncts].filter((one) => one !== node);
  // That is reported where it is.
  if (others.some((one) => possibleTypes([one], parts, 0).types.size === 0)) return undefined;
  return possibleTypes([...conjuncts], parts, 0).reason;
}

function possibleTypes(nodes: readonly SchemaNode[], parts: SchemaParts, depth: number): Possible {
  const left = new Set(ALL_TYPES);
  let reason: string | undefined;
  const keep = (types: ReadonlySet<string>, why: () => string): void => {
    const had = left.size > 0;
    for (const type of left) if (!types.has(type)) left.delete(type);
    if (had && left.size === 0) reason = why();
  };
  for (const node of nodes) {
    const types = declaredTypes(node);
    if (types)
      keep(baseTypes(types), () => `no type is allowed by every part: ${typesText(nodes)}`);
  }
  const values = candidatesOf(nodes);
  if (values) {
    const fitting = values.list.filter((value) => nodes.every((node) => fitsLocally(node, value)));
    keep(new Set(fitting.map(jsonTypeOf)), () => candidateText(values, nodes));
  }
  for (const [type, fault] of emptyTypes(nodes, parts))
    keep(new Set(ALL_TYPES.filter((one) => one !== type)), () => fault);
  if (depth < MAX_DEPTH)
    for (const node of nodes)
      for (const keyword of ["anyOf", "oneOf"]) {
        const union = unionTypes(node[keyword], parts, depth);
        if (union) keep(union, () => `no branch of ${keyword} allows ${typesText(nodes)}`);
      }
  return { types: left, reason };
}

function baseTypes(types: readonly string[]): ReadonlySet<string> {
  return new Set(types.map((type) => (type === "integer" ? "number" : type)));
}

/** The types that a union allows; undefined for any. */
function unionTypes(
  branches: unknown,
  parts: SchemaParts,
  depth: number,
): ReadonlySet<string> | undefined {
  if (!Array.isArray(branches) || branches.length === 0) return undefined;
  const types = new Set<string>();
  for (const branch of branches as readonly unknown[]) {
    if (branch === false) continue;
    if (!isRecord(branch)) return undefined;
    const possible = possibleTypes([...conjunctsOf(branch, parts)], parts, depth + 1).types;
    // A branch without any value is reported where it is.
    for (const type of possible.size === 0 ? ALL_TYPES : possible) types.add(type);
  }
  return types;
}

interface Candidates {
  readonly keyword: "const" | "enum";
  readonly list: readonly unknown[];
}

function candidatesOf(nodes: readonly SchemaNode[]): Candidates | undefined {
  const fixed = nodes.find((node) => Object.hasOwn(node, "const"));
  if (fixed) return { keyword: "const", list: [fixed["const"]] };
  const listing = nodes.find(({ enum: values }) => Array.isArray(values));
  return listing && { keyword: "enum", list: listing["enum"] as readonly unknown[] };
}

function candidateText({ keyword, list }: Candidates, nodes: readonly SchemaNode[]): string {
  if (list.length === 0) return "enum is empty";
  const declared = nodes.map(declaredTypes).find((types) => types !== undefined);
  const kinds = [...new Set(list.map(jsonTypeOf))];
  const whose = keyword === "const" ? "const" : "every value of enum";
  if (declared && !kinds.some((kind) => baseTypes(declared).has(kind))) {
    return `type is ${quotedTypes(declared)}, but ${whose} is ${kinds.map(typeWithArticle).join(" or ")}`;
  }
  return keyword === "const"
    ? "const is refused by the keywords beside it"
    : "every value of enum is refused by the keywords beside it";
}

/** The types that have no value, and why. */
function* emptyTypes(
  nodes: readonly SchemaNode[],
  parts: SchemaParts,
): Generator<readonly [type: string, reason: string]> {
  const numbers = numbersOf(nodes);
  if (numbers.least > numbers.most)
    yield ["number", "the least number allowed is above the greatest"];
  else if (isWhole(nodes) && Math.ceil(numbers.least) > Math.floor(numbers.most))
    yield ["number", "no whole number is between the least and the greatest"];
  for (const [type, what, thing] of SIZES) {
    const { least, most } = sizesOf(nodes, what);
    if (least > most) yield [type, `min${what} ${least} is above max${what} ${most} (${thing})`];
  }
  const refused = refusedRequirement(nodes, parts);
  if (refused !== undefined) yield ["object", refused];
}

const SIZES = [
  ["string", "Length", "characters"],
  ["array", "Items", "items"],
  ["object", "Properties", "properties"],
] as const;

function isWhole(nodes: readonly SchemaNode[]): boolean {
  return nodes.some((node) => {
    const types = declaredTypes(node);
    return types?.includes("integer") === true && !types.includes("number");
  });
}

/** A required property that one of the schemas refuses. */
function refusedRequirement(nodes: readonly SchemaNode[], parts: SchemaParts): string | undefined {
  const required = nodes.flatMap(({ required: names }) =>
    Array.isArray(names) ? names.filter((name) => typeof name === "string") : [],
  );
  const { most } = sizesOf(nodes, "Properties");
  const count = new Set(required).size;
  if (count > most) return `${count} properties are required, but maxProperties is ${most}`;
  for (const node of nodes) {
    const name = required.find((one) => isForbidden(node, one, parts));
    if (name !== undefined) return `"${name.slice(0, 64)}" is required and cannot be there`;
  }
  return undefined;
}

function isForbidden(node: SchemaNode, name: string, parts: SchemaParts): boolean {
  const { properties, patternProperties, additionalProperties } = node;
  if (isRecord(properties) && Object.hasOwn(properties, name)) return properties[name] === false;
  if (additionalProperties !== false) return false;
  // In the oldest dialects too, only these two exempt a property.
  const patterns = isRecord(patternProperties) ? Object.keys(patternProperties) : [];
  return parts.isKnown && !patterns.some((source) => compilePattern(source).test(name));
}

function typesText(nodes: readonly SchemaNode[]): string {
  const types = nodes.map(declaredTypes).filter((one) => one !== undefined);
  return types.length === 0 ? "a value" : types.map(quotedTypes).join(" and ");
}

function quotedTypes(types: readonly string[]): string {
  return types.map((type) => `"${type}"`).join(" or ");
}

function typeWithArticle(type: string): string {
  if (type === "null") return "null";
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
