import { isRecord } from "@toolcontract/core/adapter";
import type { SchemaObject } from "@toolcontract/core";
import { type CorpusCall, corpusCall } from "../../corpus.ts";
import { ANTONYMS } from "./names.ts";
import type { Random } from "./random.ts";
import type { SlipKind } from "./slips.ts";

/**
 * Makes a call's tool stricter: closes its objects, adds limits around the sent values, or nests the arguments one
 * or two levels deeper. The call stays valid.
 */
export function hardenTool(call: CorpusCall, kind: SlipKind, random: Random): CorpusCall {
  const schema = call.tool.inputSchema;
  if (!isRecord(schema)) return call;
  const way = NEEDS[kind] ?? random.weighted({ asIs: 4, closed: 4, limited: 2 });
  const closed = way === "asIs" ? schema : (close(schema) as SchemaObject);
  const strict = way === "limited" ? (limit(closed, call.args, random) as SchemaObject) : closed;
  const isFlat = !JSON.stringify(schema).includes('"$ref"');
  const depth = isFlat ? random.weighted({ "0": 45, "1": 35, "2": 20 }) : "0";
  let nested: Nested = { schema: strict, args: call.args };
  for (let level = 0; level < Number(depth); level += 1) nested = nest(nested, random);
  return corpusCall({ ...call.tool, inputSchema: nested.schema }, nested.args);
}

/** What a tool must be like for a slip to be a fault. */
const NEEDS: Partial<Record<SlipKind, "closed" | "limited">> = {
  enum: "limited",
  limit: "limited",
  shape: "limited",
  duplicate: "limited",
  unknown: "closed",
  misspelt: "closed",
};

interface Nested extends Pick<CorpusCall, "args"> {
  readonly schema: SchemaObject;
}

function nest({ schema, args }: Nested, random: Random): Nested {
  const { $schema: _, ...inner } = schema;
  const name = random.pick(["request", "options", "items", "filter"]);
  const isList = name === "items";
  return {
    schema: {
      type: "object",
      properties: { [name]: isList ? { type: "array", items: inner } : inner },
      required: [name],
      ...(schema["additionalProperties"] === false && { additionalProperties: false }),
    },
    args: { [name]: isList ? [args] : args },
  };
}

/** Closes every object that declares its fields and does not mention others. */
function close(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(close);
  if (!isRecord(node)) return node;
  const entries = Object.entries(node).map(([key, value]) => {
    if (key === "enum" || key === "const" || key === "default" || key === "examples")
      return [key, value];
    const isTable = (key === "properties" || key === "$defs") && isRecord(value);
    const inner = isTable
      ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, close(field)]))
      : close(value);
    return [key, inner];
  });
  const copy = Object.fromEntries(entries) as SchemaObject;
  const isObject = isRecord(node["properties"]) && Object.keys(node["properties"]).length > 0;
  return isObject && !("additionalProperties" in node)
    ? { ...copy, additionalProperties: false }
    : copy;
}

/** Adds limits that the sent values meet, as careful authors write them. */
function limit(node: unknown, value: unknown, random: Random): unknown {
  if (!isRecord(node) || "$ref" in node || "anyOf" in node || "oneOf" in node) return node;
  const own = random.next() < 0.6 && !("enum" in node) && !("const" in node);
  if (isRecord(value)) {
    const { properties } = node;
    if (!isRecord(properties)) return node;
    const limited = Object.entries(properties).map(([key, field]) => [
      key,
      Object.hasOwn(value, key) ? limit(field, value[key], random) : field,
    ]);
    return { ...node, properties: Object.fromEntries(limited) as SchemaObject };
  }
  const { type } = node as { readonly type?: unknown };
  if (Array.isArray(value) && type === "array") {
    const items = value.length === 1 ? { items: limit(node["items"], value[0], random) } : {};
    const isSet = new Set(value.map((item) => JSON.stringify(item))).size === value.length;
    const most = { maxItems: value.length + 2 + random.below(4) };
    return { ...node, ...items, ...(own && most), ...(own && isSet && { uniqueItems: true }) };
  }
  if (!own) return node;
  if (typeof value === "number" && (type === "integer" || type === "number")) {
    return {
      ...node,
      minimum: value < 0 ? -1_000 : random.pick([0, Math.min(1, value)]),
      maximum: roundUp(value),
    };
  }
  if (typeof value === "string" && type === "string")
    return { ...node, ...textLimit(value, random) };
  return node;
}

function roundUp(value: number): number {
  return [10, 50, 100, 365, 1_000, 10_000, 1_000_000].find((round) => round >= value) ?? value * 2;
}

function textLimit(value: string, random: Random): SchemaObject {
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return { format: "date" };
  if (/^[\w.]+@[\w.]+\.\w+$/.test(value)) return { format: "email" };
  if (/^https?:\/\/\S+$/.test(value)) return { format: "uri" };
  if (/^[\w -]{2,24}$/.test(value) && random.next() < 0.5) return { enum: choices(value) };
  if (/^[A-Z]{3}$/.test(value)) return { pattern: "^[A-Z]{3}$" };
  if (/^[a-z][a-z0-9_]*$/.test(value)) return { pattern: "^[a-z][a-z0-9_]*$" };
  if (value.length === 0 || value.length > 200) return {};
  return random.pick([{ minLength: 1, maxLength: 200 }, { maxLength: 255 }, { minLength: 1 }]);
}

/** An enum with the sent value among look-alikes. */
function choices(value: string): readonly string[] {
  const opposite = ANTONYMS[value.toLowerCase()];
  const others = ["standard", `${value} plus`, "custom", "none", ...(opposite ? [opposite] : [])];
  return [...new Set([...others.slice(0, 2), value, ...others.slice(2)])];
}
