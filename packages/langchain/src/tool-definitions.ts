import { toJsonSchema } from "@langchain/core/utils/json_schema";
import {
  interopSafeParseAsync,
  isInteropZodSchema,
  isZodSchemaV4,
} from "@langchain/core/utils/types";
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
  /** The tool's own schema: zod, another Standard Schema, or JSON Schema. */
  readonly schema?: unknown;
}

/** Whether the value is a tool that can be called by name. */
export function isNamedTool(tool: unknown): tool is NamedTool {
  return isRecord(tool) && typeof tool["name"] === "string" && tool["name"] !== "";
}

/** The names of the tools that have one. */
export function namesOfTools(tools: readonly unknown[]): ReadonlySet<string> {
  return new Set(tools.filter(isNamedTool).map(({ name }) => name));
}

/** Creates a weak cache of definitions. */
export function createToolDefinitions(schemaFor?: SchemaFor): ToolDefinitions {
  const known = new WeakMap<object, ToolDefinition>();
  return {
    of(tool) {
      const made = known.get(tool) ?? definitionFrom(tool, schemaFor);
      known.set(tool, made);
      return made;
    },
  };
}

/** The tool's own validator decides, and JSON Schema only describes; without a validator, JSON Schema decides. */
function definitionFrom(tool: NamedTool, schemaFor: SchemaFor | undefined): ToolDefinition {
  const { name } = tool;
  const schema: unknown = schemaFor?.(name) ?? tool.schema;
  const validator = validatorOf(schema);
  const inputSchema = validator ? convertedSchema(schema) : schema;
  return {
    name,
    ...(validator && { validator }),
    ...(isRecord(inputSchema) && { inputSchema }),
  };
}

type ToolValidator = NonNullable<ToolDefinition["validator"]>;

const ANYTHING: ToolValidator = {
  "~standard": { version: 1, vendor: "toolcontract", validate: (value) => ({ value }) },
};

/** The definition of a tool of which only a name is known, which may be invented. */
export function anyTool(name: string): ToolDefinition {
  return { name, validator: ANYTHING };
}

/** The schema as a validator; undefined for JSON Schema. */
function validatorOf(schema: unknown): ToolValidator | undefined {
  if (canValidate(schema)) return schema;
  if (!isInteropZodSchema(schema)) return undefined;
  // zod before 3.24 has no Standard Schema interface.
  const validate = async (value: unknown): Promise<unknown> => {
    const parsed = await interopSafeParseAsync(schema, value);
    return parsed.success ? { value: parsed.data } : { issues: parsed.error?.issues };
  };
  return { "~standard": { version: 1, vendor: "zod", validate } } as ToolValidator;
}

function canValidate(schema: unknown): schema is ToolValidator {
  return typeof standardOf(schema)?.["validate"] === "function";
}

function standardOf(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  const standard: unknown =
    isObjectOrFunction(schema) && "~standard" in schema ? schema["~standard"] : undefined;
  return isRecord(standard) ? standard : undefined;
}

function isObjectOrFunction(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

const converted = new WeakMap<object, { readonly schema: unknown }>();

/**
 * LangChain's own conversion of a validator to JSON Schema. Core reads Standard JSON Schema itself, and of zod 4 the
 * conversion throws on dates and preprocessing, so these are left out.
 */
function convertedSchema(validator: unknown): unknown {
  const isRead = standardOf(validator)?.["jsonSchema"] !== undefined;
  if (!isObjectOrFunction(validator) || isRead || isZodSchemaV4(validator)) return undefined;
  const known = converted.get(validator) ?? { schema: convertValidator(validator) };
  converted.set(validator, known);
  return known.schema;
}

const declared = new WeakMap<object, { readonly schema: object | undefined }>();

/** The JSON Schema that LangChain would send for a tool; undefined if it has none. */
export function declaredSchema({ schema }: NamedTool): object | undefined {
  if (!isObjectOrFunction(schema)) return undefined;
  const known = declared.get(schema) ?? { schema: sentSchema(schema) };
  declared.set(schema, known);
  return known.schema;
}

function sentSchema(schema: object): object | undefined {
  try {
    return toJsonSchema(schema as Parameters<typeof toJsonSchema>[0]);
  } catch {
    // LangChain throws for it when it sends the tool.
    return undefined;
  }
}

function convertValidator(validator: object): unknown {
  try {
    const schema: unknown = toJsonSchema(validator as Parameters<typeof toJsonSchema>[0]);
    // A schema that LangChain cannot convert, such as valibot's, is returned as it is.
    return schema === validator ? undefined : schema;
  } catch {
    // Without a description the validator still decides, and only details are lost.
    return undefined;
  }
}
