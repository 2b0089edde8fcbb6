import type { SchemaObject, ToolDefinition } from "@toolcontract/core";
import { isRecord } from "./record.ts";

const MAX_NAME = 512;

/**
 * Reads one entry of a tool list; undefined where it has no usable name.
 *
 * A tool whose schema is the same as before keeps its definition, and with it all that was worked out for it.
 */
export function readListedTool(
  entry: unknown,
  before: (name: string) => ToolDefinition | undefined,
): ToolDefinition | undefined {
  if (!isRecord(entry)) return undefined;
  const { name, inputSchema: given } = entry;
  if (typeof name !== "string" || name === "" || name.length > MAX_NAME) return undefined;
  // A schema of another form says nothing that could be judged by.
  const inputSchema = isRecord(given) ? withoutValidator(given) : undefined;
  const known = before(name);
  if (known && isSame(known.inputSchema, inputSchema)) return known;
  return { name, ...(inputSchema && { inputSchema }) };
}

/** Some libraries hang their validator on the JSON Schema that they write; core would take it for the validator. */
function withoutValidator(schema: SchemaObject): SchemaObject {
  const { "~standard": _, ...own } = schema;
  return own;
}

function isSame(one: unknown, other: unknown): boolean {
  try {
    return JSON.stringify(one) === JSON.stringify(other);
  } catch {
    // Nested so deep that writing it down overflows the stack.
    return false;
  }
}
