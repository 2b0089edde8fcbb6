import { isRecord, jsonSchemaOf } from "@toolcontract/explain/adapter";
import type { JsonObject } from "../shared/index.ts";
import { isBareSchema } from "./is-schema.ts";

/** The keys under which frameworks keep the schema of a tool's arguments. */
const SCHEMA_KEYS = ["inputSchema", "parameters", "schema"];

/**
 * Collects the tools among the exports of a module, as a document for `readTools`: tools of the AI SDK and LangChain, sets
 * and lists of them, and schemas of zod or another library that writes JSON Schema.
 */
export function toolsOfModule(exports: JsonObject): readonly unknown[] {
  const seen = new Set<unknown>();
  return Object.entries(exports).flatMap(([name, value]) => toolsIn(value, name, seen, 0));
}

function toolsIn(
  value: unknown,
  name: string,
  seen: Set<unknown>,
  depth: number,
): readonly unknown[] {
  const isHolder = (typeof value === "object" && value !== null) || typeof value === "function";
  if (!isHolder || seen.has(value) || depth > 2) return [];
  seen.add(value);
  if (isStandard(value)) {
    const schema = jsonSchemaOf(value);
    return isRecord(schema)
      ? [{ name, inputSchema: schema, description: schema["description"] ?? "" }]
      : [];
  }
  if (Array.isArray(value))
    return value.flatMap((one, index) => toolsIn(one, `${name}[${index}]`, seen, depth + 1));
  const fields = value as JsonObject;
  const schema = SCHEMA_KEYS.map((key) => schemaOfMember(fields[key])).find(
    (one) => one !== undefined,
  );
  if (schema !== undefined) {
    const { name: ownName, description, outputSchema } = fields;
    const output = schemaOfMember(outputSchema);
    return [
      {
        name: typeof ownName === "string" && ownName !== "" ? ownName : name,
        ...(typeof description === "string" && { description }),
        inputSchema: schema,
        ...(output !== undefined && { outputSchema: output }),
      },
    ];
  }
  if (typeof value === "function") return [];
  return Object.entries(fields).flatMap(([key, one]) => toolsIn(one, key, seen, depth + 1));
}

function isStandard(value: unknown): value is Parameters<typeof jsonSchemaOf>[0] {
  return "~standard" in Object(value);
}

/** The JSON Schema of what a framework takes for one. */
function schemaOfMember(value: unknown): unknown {
  if (isStandard(value)) return jsonSchemaOf(value);
  if (!isRecord(value)) return undefined;
  // What `jsonSchema()` of the AI SDK returns.
  if (isRecord(value["jsonSchema"])) return value["jsonSchema"];
  return isBareSchema(value) ? value : undefined;
}
