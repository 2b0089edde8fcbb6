import type { JsonSchema, SchemaObject } from "@toolcontract/core";
import { resolveSchema, variantsOf } from "../cases/resolve-schema.ts";
import { typesOf } from "../cases/type-words.ts";

const DEPTH = 2;

/** All that a schema asks for, in the contract's words, written apart from the contract. */
export function describeSchema(node: unknown, root: unknown, depth = 0): string {
  const schema = resolveSchema(node, root as JsonSchema);
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["enum"]))
    return `one of ${schema["enum"].map((value) => JSON.stringify(value)).join(", ")}`;
  const types = typesOf(schema);
  if (types.length > 0)
    return types.map((type) => describeType(type, schema, root, depth)).join(" or ");
  return variantsOf(schema)
    .map((variant) => describeSchema(variant, root, depth + 1))
    .join(" or ");
}

function describeType(type: string, schema: SchemaObject, root: unknown, depth: number): string {
  switch (type) {
    case "integer":
    case "number":
      return type + range(numberOf(schema, "minimum"), numberOf(schema, "maximum"), "");
    case "string":
      return text(schema);
    case "array": {
      const items = depth < DEPTH ? describeSchema(schema["items"], root, depth + 1) : "";
      const count = range(numberOf(schema, "minItems"), numberOf(schema, "maxItems"), " items");
      return `array${items === "" ? "" : ` of ${items}`}${count === "" ? "" : `,${count}`}`;
    }
    case "object": {
      const { required } = schema;
      const keys = Array.isArray(required) ? required.join(", ") : "";
      return keys === "" ? "object" : `object with ${keys}`;
    }
    default:
      return type;
  }
}

function text(schema: SchemaObject): string {
  const { format, pattern } = schema;
  const length = range(numberOf(schema, "minLength"), numberOf(schema, "maxLength"), " characters");
  const kind = typeof format === "string" ? `${format} string` : "string";
  const shape = typeof pattern === "string" ? ` matching ${pattern}` : "";
  return `${kind}${length === "" ? "" : `,${length}`}${shape}`;
}

function range(low: number | undefined, high: number | undefined, unit: string): string {
  if (low !== undefined && high !== undefined) return ` from ${low} to ${high}${unit}`;
  if (low !== undefined) return ` at least ${low}${unit}`;
  return high === undefined ? "" : ` at most ${high}${unit}`;
}

function numberOf(schema: SchemaObject, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === "number" ? value : undefined;
}
