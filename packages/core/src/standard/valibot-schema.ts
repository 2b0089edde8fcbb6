import { type JsonSchema, isRecord, typesOf } from "../shared/index.ts";
import { type ReadChild, type ReadNode, readBounded } from "./bounded-reader.ts";
import { listOf, listing, nullable, withRule } from "./schema-parts.ts";
import { valibotRule } from "./vendors/index.ts";

type Node = Readonly<Record<string, unknown>>;

// Changes to a value after which the rules that follow still say what is wanted.
const HARMLESS: ReadonlySet<unknown> = new Set([
  "trim",
  "trim_start",
  "trim_end",
  "to_lower_case",
  "to_upper_case",
  "normalize",
  "readonly",
  "brand",
  "flavor",
]);
const LEFT_OUT: ReadonlySet<unknown> = new Set(["optional", "exact_optional", "nullish"]);

/** Reads a valibot schema as JSON Schema, good enough to explain with; undefined for anything else. */
export function valibotSchema(validator: unknown): JsonSchema | undefined {
  return isRecord(validator) && validator["kind"] === "schema"
    ? readBounded(validator, readNode)
    : undefined;
}

const readNode: ReadNode = (node, read) => {
  const schema = readSchema(node, read);
  const [, ...actions] = listOf(node["pipe"]);
  const end = actions.findIndex((action) => !isRecord(action) || endsInput(action));
  return actions
    .slice(0, end < 0 ? actions.length : end)
    .filter(isRecord)
    .reduce<JsonSchema>((sum, action) => withRule(sum, ruleOf(action, sum)), schema);
};

function endsInput(action: Node): boolean {
  return (
    action["kind"] === "schema" ||
    (action["kind"] === "transformation" && !HARMLESS.has(action["type"]))
  );
}

function ruleOf(action: Node, schema: JsonSchema): JsonSchema | undefined {
  const { kind, type, requirement } = action;
  const [only] = typeof schema === "object" ? typesOf(schema) : [];
  if (kind !== "validation" || typeof type !== "string" || only === undefined) return undefined;
  const rule = valibotRule(type, requirement, only)?.schema;
  if (typeof rule !== "object") return undefined;
  // The rule's own type says no more than the schema's, but for a number that must be whole.
  const { type: ruleType, ...keywords } = rule;
  return ruleType === "integer" ? rule : keywords;
}

function readSchema(node: Node, read: ReadChild): JsonSchema {
  const { type } = node;
  switch (type) {
    case "string":
    case "number":
    case "boolean":
    case "null":
      return { type };
    case "date":
      return { type: "string", format: "date-time" };
    case "never":
      return false;
    case "literal":
      return listing([node["literal"]]);
    case "picklist":
    case "enum":
      return listing(listOf(node["options"]));
    case "lazy":
      return read(
        typeof node["getter"] === "function" ? (node["getter"] as () => unknown)() : undefined,
      );
    case "nullable":
    case "nullish":
      return nullable(read(node["wrapped"]));
    case "optional":
    case "exact_optional":
    case "undefinedable":
    case "non_optional":
    case "non_nullable":
    case "non_nullish":
      return read(node["wrapped"]);
    default:
      return readComposite(node, read);
  }
}

function readComposite(node: Node, read: ReadChild): JsonSchema {
  switch (node["type"]) {
    case "object":
    case "loose_object":
    case "strict_object":
    case "object_with_rest":
      return readObject(node, read);
    case "array":
      return { type: "array", items: read(node["item"]) };
    case "tuple":
    case "loose_tuple":
    case "strict_tuple":
    case "tuple_with_rest":
      return readTuple(node, read);
    case "record":
      return {
        type: "object",
        propertyNames: read(node["key"]),
        additionalProperties: read(node["value"]),
      };
    case "union":
      return { anyOf: listOf(node["options"]).map(read) };
    case "variant":
      return { oneOf: listOf(node["options"]).map(read) };
    case "intersect":
      return { allOf: listOf(node["options"]).map(read) };
    default:
      return {};
  }
}

function readObject(node: Node, read: ReadChild): JsonSchema {
  const entries = Object.entries(isRecord(node["entries"]) ? node["entries"] : {});
  const required = entries.filter(([, field]) => !mayBeLeftOut(field)).map(([name]) => name);
  const rest =
    node["type"] === "strict_object"
      ? false
      : isRecord(node["rest"])
        ? read(node["rest"])
        : undefined;
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, field]) => [name, read(field)])),
    ...(required.length > 0 ? { required } : {}),
    ...(rest === undefined ? {} : { additionalProperties: rest }),
  };
}

function mayBeLeftOut(field: unknown): boolean {
  return !isRecord(field) || LEFT_OUT.has(field["type"]) || Object.hasOwn(field, "fallback");
}

function readTuple(node: Node, read: ReadChild): JsonSchema {
  const items = listOf(node["items"]);
  const isStrict = node["type"] === "strict_tuple";
  return {
    type: "array",
    prefixItems: items.map(read),
    minItems: items.length,
    ...(isStrict ? { maxItems: items.length } : {}),
    ...(isRecord(node["rest"]) ? { items: read(node["rest"]) } : {}),
  };
}
