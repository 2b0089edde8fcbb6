import type { JsonSchema, ToolDefinition } from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";
import { interopSafeParseAsync, isInteropZodSchema } from "@langchain/core/utils/types";

/** The schema that a tool's arguments are really judged by, such as an MCP server's own one; undefined for the tool's. */
export type SchemaFor = (toolName: string) => JsonSchema | undefined;

/** The tools as core knows them. */
export interface ToolDefinitions {
  /** The definition of a tool, made once, so that core works its plan out once. */
  of(tool: NamedTool): ToolDefinition;
}

/** A tool of LangChain as far as its definition needs it. */
export interface NamedTool {
  readonly name: string;
  readonly schema?: unknown;
}

/** Tells whether something is a tool that can be called by its name. */
export function isNamedTool(tool: unknown): tool is NamedTool {
  return isRecord(tool) && typeof tool["name"] === "string" && tool["name"] !== "";
}

/** Makes the register of definitions; it keeps no tool alive. */
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

/** The tool's own validator judges; where it has none, its JSON Schema does. */
function define(tool: NamedTool, schemaFor: SchemaFor | undefined): ToolDefinition {
  const { name } = tool;
  const schema: unknown = schemaFor?.(name) ?? tool.schema;
  const validator = validatorOf(schema);
  if (validator) return { name, validator };
  return isRecord(schema) ? { name, inputSchema: schema } : { name };
}

/** A validator of any library, as core takes it. */
type StandardSchema = NonNullable<ToolDefinition["validator"]>;

/** The validator that a tool's schema is, if it is one; a JSON Schema is none. */
function validatorOf(schema: unknown): StandardSchema | undefined {
  if (isStandardSchema(schema)) return schema;
  if (!isInteropZodSchema(schema)) return undefined;
  // A zod from before Standard Schema; everything else of it stays readable through the prototype.
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
