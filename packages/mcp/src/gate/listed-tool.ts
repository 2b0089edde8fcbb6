import type { SchemaObject, ToolDefinition } from "@toolcontract/core";
import { createRecentMap } from "@toolcontract/core/adapter";
import { isRecord } from "./record.ts";

const MAX_NAME = 512;
const MAX_TOOLS = 10_000;

/**
 * The tools of all lists.
 *
 * Each has one definition however often and by whom it is listed, and with it all that was worked out for it: an
 * unchanged tool keeps its attempts, and a thousand sessions keep one copy of its schema.
 */
export interface ListedTools {
  /** Reads one entry of a list; undefined where it has no usable name. */
  read(entry: unknown): ToolDefinition | undefined;
  /** The tool of which nothing but the name is sure. */
  nameOnly(name: string): ToolDefinition;
}

/** Makes the register of tools; it forgets the least recently listed ones. */
export function createListedTools(): ListedTools {
  const definitions = createRecentMap<string, ToolDefinition>(MAX_TOOLS);

  function define(name: string, inputSchema: SchemaObject | undefined): ToolDefinition {
    const made = { name, ...(inputSchema && { inputSchema }) };
    const text = textOf(made);
    if (text === undefined) return made;
    const known = definitions.get(text);
    if (known === undefined) definitions.set(text, made);
    return known ?? made;
  }
  return {
    read(entry) {
      if (!isRecord(entry)) return undefined;
      const { name, inputSchema } = entry;
      if (typeof name !== "string" || name === "" || name.length > MAX_NAME) return undefined;
      // A schema of another form says nothing that could be judged by.
      return define(name, isRecord(inputSchema) ? withoutValidator(inputSchema) : undefined);
    },
    nameOnly: (name) => define(name, undefined),
  };
}

/** Some libraries hang their validator on the JSON Schema that they write; core would take it for the validator. */
function withoutValidator(schema: SchemaObject): SchemaObject {
  const { "~standard": _, ...own } = schema;
  return own;
}

function textOf(tool: ToolDefinition): string | undefined {
  try {
    return JSON.stringify(tool);
  } catch {
    // Nested so deep that writing it down overflows the stack.
    return undefined;
  }
}
