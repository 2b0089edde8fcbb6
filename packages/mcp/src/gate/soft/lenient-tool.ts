import type { ToolDefinition } from "@toolcontract/core";
import { isRecord, memberOf } from "../../wire/index.ts";

const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions"]);
// Excludes `not` and `if`, where relaxing makes the schema stricter, and `oneOf`, whose branches may differ only in what is relaxed.
const NESTED = new Set(["items", "prefixItems", "additionalProperties", "allOf", "anyOf"]);
const CLOSING = new Set(["additionalProperties", "unevaluatedProperties"]);

const lenientTools = new WeakMap<ToolDefinition, ToolDefinition>();

/**
 * The tool without the keywords that servers often do not enforce. Few validators outside JavaScript check formats.
 * Many libraries generate schemas that forbid unknown fields or require fields with a default, while their validators
 * drop the former and fill in the latter.
 */
export function lenientTool(tool: ToolDefinition): ToolDefinition {
  const made = lenientTools.get(tool) ?? relaxed(tool);
  lenientTools.set(tool, made);
  return made;
}

function relaxed(tool: ToolDefinition): ToolDefinition {
  const { inputSchema } = tool;
  if (inputSchema === undefined) return tool;
  try {
    const lenient = relax(inputSchema) as typeof inputSchema;
    // An unchanged schema need not be compiled twice.
    return JSON.stringify(lenient) === JSON.stringify(inputSchema)
      ? tool
      : { ...tool, inputSchema: lenient };
  } catch {
    // Nested so deeply that walking it overflows the stack.
    return tool;
  }
}

function relax(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(relax);
  if (!isRecord(schema)) return schema;
  const entries = Object.entries(schema).filter(([keyword, value]) => !isLeftOut(keyword, value));
  return Object.fromEntries(
    entries.map(([keyword, value]) => {
      if (NESTED.has(keyword)) return [keyword, relax(value)];
      if (keyword === "required") return [keyword, withoutDefaults(value, schema["properties"])];
      return [keyword, NAMED.has(keyword) && isRecord(value) ? relaxAll(value) : value];
    }),
  );
}

function relaxAll(schemas: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, relax(one)]));
}

function isLeftOut(keyword: string, value: unknown): boolean {
  return (
    (keyword === "format" && typeof value === "string") || (CLOSING.has(keyword) && value === false)
  );
}

function withoutDefaults(required: unknown, properties: unknown): unknown {
  if (!Array.isArray(required) || !isRecord(properties)) return required;
  return required.filter((name: unknown) => {
    const property = typeof name === "string" ? memberOf(properties, name) : undefined;
    return !isRecord(property) || !Object.hasOwn(property, "default");
  });
}
