import { type SchemaParts, isRecord } from "@toolcontract/explain/adapter";
import { type SchemaNode, requiredNames } from "../shared/index.ts";
import { conjunctsOf } from "./conjuncts.ts";
import { declaredTypes } from "./fits-locally.ts";
import { numbersOf, sizesOf } from "./ranges.ts";

/** Optional fields are not nested more deeply. */
const MAX_DEPTH = 6;
/** Schemas that refer to themselves describe values without end. */
const MAX_VALUES = 1_000;
const FORMATS: ReadonlyMap<unknown, string> = new Map([
  ["date", "2026-03-14"],
  ["date-time", "2026-03-14T09:26:53Z"],
  ["email", "ana@example.com"],
  ["time", "09:26:53Z"],
  ["uri", "https://example.com/7"],
  ["url", "https://example.com/7"],
  ["uuid", "1b4e28ba-2fa1-41d2-883f-0016d3cca427"],
  ["ipv4", "192.0.2.1"],
  ["hostname", "example.com"],
]);

/**
 * Makes a value for a schema, always the same one, with all optional fields. It covers what tools' schemas usually say;
 * the caller checks it.
 */
export function sampleOf(schema: unknown, parts: SchemaParts): unknown {
  let left = MAX_VALUES;
  return sample(schema, 0);

  function sample(given: unknown, depth: number): unknown {
    left -= 1;
    if (left < 0 || depth > 2 * MAX_DEPTH) return null;
    if (!isRecord(given)) return "text";
    const node = merged(given);
    if (Object.hasOwn(node, "const")) return node["const"];
    const { enum: values, default: standard } = node;
    if (Array.isArray(values) && values.length > 0) return values[0];
    if (standard !== undefined && standard !== null && parts.accepts(given, standard))
      return standard;
    switch (typeOfSample(node)) {
      case "object":
        return object(node, depth);
      case "array":
        return array(node, depth);
      case "integer":
      case "number":
        return number(node);
      case "boolean":
        return true;
      case "null":
        return null;
      default:
        return sampleText(node);
    }
  }

  /** The schema with what it refers to, its parts and the first branch of its unions, as one. */
  function merged(node: SchemaNode): SchemaNode {
    const all: SchemaNode[] = [];
    const pending: SchemaNode[] = [node];
    for (const next of pending) {
      if (pending.length > 20) break;
      for (const conjunct of conjunctsOf(next, parts)) {
        all.push(conjunct);
        for (const keyword of ["oneOf", "anyOf"]) {
          const branches = conjunct[keyword];
          const branch: unknown = Array.isArray(branches) ? branches[0] : undefined;
          if (isRecord(branch)) pending.push(branch);
        }
      }
    }
    const properties = Object.assign({}, ...all.map((one) => one["properties"])) as SchemaNode;
    const required = all.flatMap(({ required: names }) => (Array.isArray(names) ? names : []));
    return { ...Object.assign({}, ...all.toReversed()), properties, required } as SchemaNode;
  }

  function object(node: SchemaNode, depth: number): SchemaNode {
    const { properties } = node as { properties: SchemaNode };
    const required = requiredNames(node);
    const isWanted = (name: string): boolean =>
      required.has(name) || (depth < MAX_DEPTH && left > 0);
    const members: (readonly [string, unknown])[] = [];
    for (const [name, field] of Object.entries(properties))
      if (field !== false && isWanted(name)) members.push([name, sample(field, depth + 1)]);
    return Object.fromEntries(members);
  }

  function array(node: SchemaNode, depth: number): readonly unknown[] {
    const { items, prefixItems } = node;
    const first = (
      Array.isArray(items) ? items : Array.isArray(prefixItems) ? prefixItems : []
    ).map((item: unknown) => sample(item, depth + 1));
    const { least } = sizesOf([node], "Items");
    const isDeep = depth > MAX_DEPTH;
    const wanted = Math.min(Math.max(least, isDeep || first.length > 0 ? 0 : 1), 20);
    const more = Math.max(0, wanted - first.length);
    if (items === false || Array.isArray(items)) return first;
    return [...first, ...Array.from({ length: more }, () => sample(items ?? {}, depth + 1))];
  }
}

function typeOfSample(node: SchemaNode): string | undefined {
  const [type] = declaredTypes(node) ?? [];
  if (type !== undefined) return type;
  if (Object.keys(node["properties"] as object).length > 0) return "object";
  return Object.hasOwn(node, "items") ? "array" : undefined;
}

function number(node: SchemaNode): number {
  const { least, most } = numbersOf([node]);
  const step = typeof node["multipleOf"] === "number" ? node["multipleOf"] : 1;
  if (least <= step && most >= step) return step;
  if (Number.isFinite(least))
    return Math.min(most, Math.ceil(least / step) * step + (least % step === 0 ? step : 0));
  return Number.isFinite(most) ? Math.floor(most / step) * step - step : step;
}

function sampleText(node: SchemaNode): string {
  const { format } = node;
  const { least, most } = sizesOf([node], "Length");
  const text = FORMATS.get(format) ?? "example";
  return text.padEnd(Math.min(least, 10_000), "x").slice(0, most);
}
