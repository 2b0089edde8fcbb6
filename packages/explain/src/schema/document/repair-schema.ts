import { type SchemaObject, isRecord, jsonPointer } from "../../shared/index.ts";
import { leadsBack } from "./circles.ts";
import { readType } from "./misspelt-type.ts";
import { contradictionAt } from "./contradictions.ts";
import {
  type Dialect,
  indexSchema,
  refOverrides,
  subschemaPlaces,
  subschemas,
} from "./schema-index.ts";
import { MAX_NODES, type Node, type SchemaPlace, isNode, placesIn } from "./schema-places.ts";
import { impossibleIn } from "./impossible.ts";
import { isSchema, keywordKinds } from "./keywords.ts";

const MAX_ROUNDS = 50;

// Without the first keyword, the others would apply to more than was meant.
const DEPENDENT: Readonly<Record<string, readonly string[]>> = {
  properties: ["additionalProperties"],
  patternProperties: ["additionalProperties"],
  prefixItems: ["items"],
  items: ["additionalItems"],
  minContains: ["contains"],
};
const DEFINITIONS = new Set(["$defs", "definitions", "$id", "id", "$schema"]);
// Keywords that assert nothing on their own.
const SILENT = new Set([
  ...DEFINITIONS,
  "properties",
  "patternProperties",
  "dependentSchemas",
  "allOf",
  "anyOf",
  "oneOf",
  "prefixItems",
  "then",
  "else",
]);

/** A schema without its broken keywords. */
export interface RepairedSchema {
  readonly schema: SchemaObject;
  /** The JSON Pointers of the keywords that were left out. */
  readonly leftOut: readonly string[];
  /** The JSON Pointers of the keywords that were read as what they mean. */
  readonly misspelt: readonly string[];
  /** The JSON Pointers of the lists of values that no value of the declared type is in. */
  readonly contradictory: readonly string[];
}

interface SchemaRepair {
  readonly leftOut: string[];
  readonly misspelt: string[];
  readonly contradictory: string[];
  /** The schemas that accept more than their author meant. */
  readonly weak: Set<unknown>;
}

/**
 * Leaves out the keywords of a schema that have no meaning in a dialect, and reads the usual misspellings.
 *
 * Undefined if there are none, or if nothing would be left that a value could break. What the schema as it was meant
 * accepts, the repaired one accepts: where a weaker part would refuse more, as under `not`, the part is left out too.
 * Keywords with one of the `patterns`, which cannot decide, are left out as well. A list of values that contradicts the
 * type is read as what it surely means.
 */
export function repairSchema(
  json: string,
  dialect: Dialect,
  patterns: ReadonlySet<string> = new Set(),
): RepairedSchema | undefined {
  const root: unknown = JSON.parse(json);
  if (!isNode(root)) return undefined;
  const repair: SchemaRepair = { leftOut: [], misspelt: [], contradictory: [], weak: new Set() };
  const places = placesIn(root);
  if (places.length >= MAX_NODES) return undefined;
  for (const place of places) {
    repairKeywords(place, dialect, repair);
    leaveOutPatterns(place, patterns, repair);
    repairContradiction(place, dialect, repair);
    repairImpossible(place, repair);
  }
  repairReferences(root, dialect, repair);
  for (const place of placesIn(root)) keepWeak(place, repair);
  const { leftOut, misspelt, contradictory } = repair;
  const isRepaired = leftOut.length + misspelt.length + contradictory.length > 0;
  if (!isRepaired || !enforcesSomething(root)) return undefined;
  return { schema: root, leftOut, misspelt, contradictory };
}

function leaveOut(
  { node, pointer }: Omit<SchemaPlace, "base">,
  keyword: string,
  repair: SchemaRepair,
): void {
  if (!Object.hasOwn(node, keyword)) return;
  Reflect.deleteProperty(node, keyword);
  repair.weak.add(node);
  repair.leftOut.push(pointer + jsonPointer([keyword]));
}

function repairKeywords(place: SchemaPlace, dialect: Dialect, repair: SchemaRepair): void {
  const { node, pointer } = place;
  const kinds = Object.entries(keywordKinds(dialect));
  if (kinds.some(([keyword, fits]) => keyword === "type" && isBrokenKeyword(node, keyword, fits)))
    repairType(place, repair);
  for (const [keyword, fits] of kinds) {
    if (!isBrokenKeyword(node, keyword, fits)) continue;
    leaveOut(place, keyword, repair);
    for (const other of DEPENDENT[keyword] ?? []) leaveOut(place, other, repair);
  }
  for (const { holder, key, keys } of subschemaPlaces(node)) {
    const child = holder[key];
    // `items` and `dependencies` may hold lists.
    if (isSchema(child) || Array.isArray(child)) continue;
    const open = {};
    const value = { value: open, writable: true, enumerable: true, configurable: true };
    Object.defineProperty(holder, key, value);
    repair.weak.add(open);
    repair.leftOut.push(pointer + jsonPointer(keys));
  }
  repairRequired(place, repair);
}

function isBrokenKeyword(node: Node, keyword: string, fits: (value: unknown) => boolean): boolean {
  return Object.hasOwn(node, keyword) && !fits(node[keyword]);
}

function repairType({ node, pointer }: SchemaPlace, { misspelt }: SchemaRepair): void {
  const reading = readType(node);
  if (reading.kind === "unclear") return;
  misspelt.push(pointer + jsonPointer(["type"]));
  if (reading.type === undefined) Reflect.deleteProperty(node, "type");
  else node["type"] = reading.type;
}

/** Reads `required: true` of a property as an entry of its object's list, unless the object has a list of its own. */
function repairRequired({ node, pointer }: SchemaPlace, repair: SchemaRepair): void {
  const { properties, required } = node;
  if (!isRecord(properties)) return;
  const names: string[] = [];
  for (const [name, property] of Object.entries(properties)) {
    if (!isNode(property) || typeof property["required"] !== "boolean") continue;
    const inner = { node: property, pointer: pointer + jsonPointer(["properties", name]) };
    const isListed = Array.isArray(required) && required.includes(name);
    const isUnclear = Array.isArray(required) || Object.hasOwn(property, "default");
    if (property["required"] && isUnclear && !isListed) {
      leaveOut(inner, "required", repair);
      continue;
    }
    if (property["required"] && !isListed) names.push(name);
    Reflect.deleteProperty(property, "required");
    repair.misspelt.push(inner.pointer + jsonPointer(["required"]));
  }
  if (names.length > 0) node["required"] = names;
}

/** Moves a list of values that no array is in to the array's items; any other type gives way to the list. */
function repairContradiction(
  { node, pointer }: SchemaPlace,
  dialect: Dialect,
  repair: SchemaRepair,
): void {
  const found = contradictionAt(node, dialect);
  if (found === undefined) return;
  repair.contradictory.push(pointer + jsonPointer([found.keyword]));
  repair.weak.add(node);
  if (found.meant === "values") {
    Reflect.deleteProperty(node, "type");
    return;
  }
  const { items, enum: values } = node;
  Reflect.deleteProperty(node, "enum");
  if (items === undefined || items === true) node["items"] = { enum: values };
  if (!isNode(items) || Object.hasOwn(items, "enum")) return;
  items["enum"] = values;
  if (contradictionAt(items, dialect) !== undefined) Reflect.deleteProperty(items, "type");
}

/** Reads what no value can meet as what was surely meant. */
function repairImpossible(place: SchemaPlace, repair: SchemaRepair): void {
  const { node, pointer } = place;
  for (const found of impossibleIn(node)) {
    repair.weak.add(node);
    if (found.kind === "left-out")
      for (const keyword of found.keywords) leaveOut(place, keyword, repair);
    else if (found.kind === "any-of") {
      repair.misspelt.push(pointer + jsonPointer(["oneOf"]));
      anyOfItsOneOf(node);
    } else if (found.kind === "closed-parts") {
      repair.misspelt.push(pointer + jsonPointer(["allOf"]));
      closeAsOne(node);
    } else {
      repair.misspelt.push(pointer + jsonPointer(["nullable"]));
      const { nullable: _, ...rest } = node;
      for (const keyword of Object.keys(node)) Reflect.deleteProperty(node, keyword);
      node["anyOf"] = [rest, { type: "null" }];
    }
  }
}

/** Opens the parts of an `allOf`, and closes the object to what none of them declares, if all were closed. */
function closeAsOne(node: Node): void {
  const { allOf } = node;
  const parts = (Array.isArray(allOf) ? allOf : []).filter(isRecord);
  const isWhole = parts.every(({ additionalProperties }) => additionalProperties === false);
  for (const part of parts) Reflect.deleteProperty(part, "additionalProperties");
  if (!isWhole || Object.hasOwn(node, "additionalProperties")) return;
  const declared = [node, ...parts].flatMap(({ properties }) =>
    isRecord(properties) ? Object.keys(properties) : [],
  );
  const { properties } = node;
  node["properties"] = {
    ...Object.fromEntries(declared.map((name) => [name, true])),
    ...(isRecord(properties) ? properties : {}),
  };
  node["additionalProperties"] = false;
}

function anyOfItsOneOf(node: Node): void {
  const { oneOf, allOf = [] } = node;
  Reflect.deleteProperty(node, "oneOf");
  if (!Object.hasOwn(node, "anyOf")) node["anyOf"] = oneOf;
  else node["allOf"] = [...(allOf as readonly unknown[]), { anyOf: oneOf }];
}

function leaveOutPatterns(
  place: SchemaPlace,
  patterns: ReadonlySet<string>,
  repair: SchemaRepair,
): void {
  const { pattern, patternProperties } = place.node;
  if (typeof pattern === "string" && patterns.has(pattern)) leaveOut(place, "pattern", repair);
  if (!isNode(patternProperties)) return;
  const keys = Object.keys(patternProperties).filter((key) => patterns.has(key));
  for (const key of keys) {
    Reflect.deleteProperty(patternProperties, key);
    repair.leftOut.push(place.pointer + jsonPointer(["patternProperties", key]));
  }
  if (keys.length === 0) return;
  repair.weak.add(place.node);
  leaveOut(place, "additionalProperties", repair);
}

/** Leaves out references to nowhere or in a circle, and marks the schemas that refer to weak ones. */
function repairReferences(root: Node, dialect: Dialect, repair: SchemaRepair): void {
  const index = indexSchema(root, dialect);
  const places = placesIn(root, index);
  const targets = new Map<Node, unknown[]>();
  for (const place of places) {
    const { node, base } = place;
    for (const keyword of ["$ref", "$dynamicRef"]) {
      const reference = node[keyword];
      if (typeof reference !== "string") continue;
      const target = index.resolve(reference, index.baseOf(node, base));
      if (target && !leadsBack(index, target, node))
        targets.set(node, [...(targets.get(node) ?? []), target.schema]);
      else leaveOutReference(place, keyword, dialect, repair);
    }
  }
  const { weak } = repair;
  const isWeak = (one: unknown): boolean => weak.has(one);
  // A dynamic reference may lead anywhere.
  const isDynamic = (node: Node): boolean =>
    Object.hasOwn(node, "$dynamicRef") || Object.hasOwn(node, "$recursiveRef");
  const inward = places.map(({ node }) => node).toReversed();
  for (let round = 0, before = 0; weak.size > before; round += 1) {
    before = weak.size;
    for (const node of inward) {
      const parts = [...subschemas(node), ...(targets.get(node) ?? [])];
      if (round > MAX_ROUNDS || isDynamic(node) || parts.some(isWeak)) weak.add(node);
    }
  }
}

/** Up to draft-07 a reference overrides the keywords beside it, which would apply without it. */
function leaveOutReference(
  place: SchemaPlace,
  keyword: string,
  dialect: Dialect,
  repair: SchemaRepair,
): void {
  leaveOut(place, keyword, repair);
  if (!refOverrides(dialect)) return;
  for (const other of Object.keys(place.node))
    if (!DEFINITIONS.has(other)) Reflect.deleteProperty(place.node, other);
}

/** Leaves out what a weak part would make stricter, so that nothing is refused for what was left out. */
function keepWeak(place: SchemaPlace, repair: SchemaRepair): void {
  const { node, pointer } = place;
  const { weak } = repair;
  if (!weak.has(node)) return;
  for (const keyword of ["not", "if"])
    if (weak.has(node[keyword])) leaveOut(place, keyword, repair);
  if (weak.has(node["contains"])) leaveOut(place, "maxContains", repair);
  for (const keyword of ["unevaluatedProperties", "unevaluatedItems"])
    leaveOut(place, keyword, repair);
  const { oneOf } = node;
  if (!Array.isArray(oneOf) || !oneOf.some((branch) => weak.has(branch))) return;
  // Several branches may match now.
  repair.leftOut.push(pointer + jsonPointer(["oneOf"]));
  anyOfItsOneOf(node);
}

/** Whether any value that is an object can break a schema. */
function enforcesSomething(root: Node): boolean {
  const kinds = keywordKinds("2020-12");
  return placesIn(root).some(({ node }) =>
    Object.entries(node).some(([keyword, value]) => {
      if (keyword === "const") return true;
      if (!Object.hasOwn(kinds, keyword) || SILENT.has(keyword)) return false;
      if (keyword === "required") return Array.isArray(value) && value.length > 0;
      if (keyword === "type") return node !== root || value !== "object";
      return value !== true && !(isRecord(value) && Object.keys(value).length === 0);
    }),
  );
}
