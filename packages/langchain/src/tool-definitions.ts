import { interopSafeParseAsync, isInteropZodSchema } from "@langchain/core/utils/types";
import type { JsonSchema, ToolDefinition } from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";

/** Returns the schema to validate a tool's arguments with, such as the MCP server's; undefined for the tool's own. */
export type SchemaFor = (toolName: string) => JsonSchema | undefined;

/** The core definitions of LangChain tools. */
export interface ToolDefinitions {
  /** Returns the tool's definition, always the same object, so that core compiles its schema once. */
  of(tool: NamedTool): ToolDefinition;
}

/** The part of a LangChain tool that its definition is made from. */
export interface NamedTool {
  readonly name: string;
  readonly schema?: unknown;
}

/** Whether the value is a tool that can be called by name. */
export function isNamedTool(tool: unknown): tool is NamedTool {
  return isRecord(tool) && typeof tool["name"] === "string" && tool["name"] !== "";
}

/** Creates a weak cache of definitions. */
export function createToolDefinitions(schemaFor?: SchemaFor): ToolDefinitions {
  const known = new WeakMap<object, ToolDefinition>();
  return {
    of(tool) {
      const made = known.get(tool) ?? define(tool, schemaFor);
      known.set(tool, made);
      return made;
    },
  };
}

/** The tool's own validator decides; if it has none, its JSON Schema does. */
function define(tool: NamedTool, schemaFor: SchemaFor | undefined): ToolDefinition {
  const { name } = tool;
  const schema: unknown = schemaFor?.(name) ?? tool.schema;
  const validator = validatorOf(schema);
  if (validator) return { name, validator };
  return isRecord(schema) ? { name, inputSchema: schema } : { name };
}

type StandardSchema = NonNullable<ToolDefinition["validator"]>;

/** The schema as a validator; undefined for JSON Schema. */
function validatorOf(schema: unknown): StandardSchema | undefined {
  if (isStandardSchema(schema)) return schema;
  if (!isInteropZodSchema(schema)) return undefined;
  // zod before 3.24 has no Standard Schema interface. Core reads everything else through the prototype.
  return Object.create(schema, {
    "~standard": {
      value: {
        version: 1,
        vendor: "zod",
        validate: async (value: unknown) => {
          const parsed = await interopSafeParseAsync(schema, value);
          return parsed.success ? { value: parsed.data } : { issues: parsed.error?.issues };
        },
      },
    },
  }) as StandardSchema;
}

function isStandardSchema(schema: unknown): schema is StandardSchema {
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null) return false;
  if (!("~standard" in schema)) return false;
  const standard: unknown = schema["~standard"];
  return (
    typeof standard === "object" &&
    standard !== null &&
    "validate" in standard &&
    typeof standard.validate === "function"
  );
}
