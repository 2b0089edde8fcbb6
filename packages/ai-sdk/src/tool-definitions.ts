import type { Contract, SchemaObject, ToolDefinition, ValidationError } from "@toolcontract/core";
import { isStandardSchema, pointerKeys } from "@toolcontract/core/adapter";
import { asSchema, type Schema, type ToolSet, zodSchema } from "ai";
import type { SdkTool } from "./sdk.ts";

/** A validator of any library, as core accepts it. */
type StandardSchema = NonNullable<ToolDefinition["validator"]>;
type SchemaIssue = { readonly message: string; readonly path?: readonly PropertyKey[] };

/** The tools, defined for core. */
export interface ToolDefinitions {
  /** The definition of a declared tool, created on first use. */
  get(name: string): Promise<ToolDefinition | undefined>;
}

/** Reads the SDK's tools; each definition is created once, because core prepares a tool once per definition. */
export function createToolDefinitions(tools: ToolSet, contract: Contract): ToolDefinitions {
  const known = new Map<string, Promise<ToolDefinition>>();

  async function get(name: string): Promise<ToolDefinition | undefined> {
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
    if (tool === undefined) return undefined;
    const definition = known.get(name) ?? defineForCore(name, tool, contract);
    known.set(name, definition);
    return definition;
  }

  return { get };
}

/** The tool's own validator decides; a tool without one is validated by its JSON Schema. */
async function defineForCore(
  name: string,
  tool: SdkTool,
  contract: Contract,
): Promise<ToolDefinition> {
  const given: unknown = tool.inputSchema;
  // For a tool without a schema, the SDK's own default would refuse every field.
  if (given === undefined || given === null) return { name, inputSchema: { type: "object" } };
  if (isStandardSchema(given)) {
    const inputSchema = await convertZod3(given);
    return { name, validator: given, ...(inputSchema && { inputSchema }) };
  }
  const schema = asSchema(tool.inputSchema);
  const inputSchema = await ownJsonSchema(schema);
  if (schema.validate !== undefined) {
    const validator = toStandardSchema(schema, { name, inputSchema: inputSchema ?? {} }, contract);
    return { name, validator, ...(inputSchema && { inputSchema }) };
  }
  if (inputSchema === undefined) return { name };
  return { name, inputSchema: isDiscovered(tool) ? withoutAddedKeyword(inputSchema) : inputSchema };
}

type ConvertibleZod3 = StandardSchema & Parameters<typeof zodSchema>[0];

const conversions = new WeakMap<StandardSchema, Promise<SchemaObject | undefined>>();

/**
 * The SDK's conversion of a zod 3 schema to JSON Schema. Undefined for any other library: those export themselves as
 * JSON Schema (zod 4 too), or the SDK refuses the tool.
 */
async function convertZod3(schema: StandardSchema): Promise<SchemaObject | undefined> {
  if (!isZod3(schema)) return undefined;
  // Without references, the SDK converts a recursive part to "any value".
  const converted =
    conversions.get(schema) ?? ownJsonSchema(zodSchema(schema, { useReferences: true }));
  conversions.set(schema, converted);
  return converted;
}

function isZod3(schema: StandardSchema): schema is ConvertibleZod3 {
  return schema["~standard"].vendor === "zod" && !("_zod" in schema);
}

async function ownJsonSchema(schema: Schema): Promise<SchemaObject | undefined> {
  try {
    // A copy, because zod hides its own validator on the schemas it returns.
    return { ...((await schema.jsonSchema) as SchemaObject) };
  } catch {
    // A schema that cannot be converted still has its validator.
    return undefined;
  }
}

/** Whether the SDK's MCP client created the tool from a server's declaration, with the schema of the server. */
function isDiscovered(tool: SdkTool): boolean {
  return tool.type === "dynamic" && isMcpTool(tool);
}

/** Whether the SDK's MCP client created the tool, whoever gave its schema. */
export function isMcpTool(tool: SdkTool): boolean {
  const isOfClient = tool.type === "dynamic" || tool.type === undefined;
  return isOfClient && "_meta" in tool;
}

/** Version 7 tells which provider tools run here; in earlier versions all of them run at the provider. */
export function isProviderTool(tool: SdkTool): boolean {
  const type: string | undefined = tool.type;
  if (type === "provider") return tool.isProviderExecuted !== false;
  return type === "provider-defined";
}

/** The MCP client sets `additionalProperties: false` on every schema, whatever the server declared. */
function withoutAddedKeyword(schema: SchemaObject): SchemaObject {
  const { additionalProperties, ...own } = schema;
  return additionalProperties === false ? own : schema;
}

/** Wraps the validator of the SDK's own schema objects (zodSchema, jsonSchema with validate) as a Standard Schema. */
function toStandardSchema(
  schema: Schema,
  explaining: ToolDefinition,
  contract: Contract,
): StandardSchema {
  return {
    "~standard": {
      version: 1,
      // Core reads zod's issues in detail; an issue of another library is a path and a message, explained by the
      // JSON Schema.
      vendor: "zod",
      async validate(value) {
        const validation = await schema.validate?.(value);
        if (validation === undefined || validation.success) {
          return { value: validation?.value ?? value };
        }
        const { error } = validation;
        const issues = issuesInError(error) ?? (await schemaIssues(value, explaining, contract));
        return { issues: issues.length > 0 ? issues : [{ message: messageOfRefusal(error) }] };
      },
    },
  };
}

/** The issues that a validation library puts on its error; the SDK may have wrapped that error. */
function issuesInError(error: unknown, depth = 0): readonly SchemaIssue[] | undefined {
  if (Array.isArray(error)) return error as readonly SchemaIssue[];
  if (typeof error !== "object" || error === null || depth > 3) return undefined;
  if ("issues" in error && Array.isArray(error.issues))
    return error.issues as readonly SchemaIssue[];
  return "cause" in error ? issuesInError(error.cause, depth + 1) : undefined;
}

/** The faults that the JSON Schema finds, for a validator that does not report where they are. */
async function schemaIssues(
  value: unknown,
  explaining: ToolDefinition,
  contract: Contract,
): Promise<readonly SchemaIssue[]> {
  const result = await contract.checkAsync({ ...explaining }, asArguments(value));
  return result.status === "valid" ? [] : result.errors.map(toIssue);
}

function toIssue({ fieldPath, message }: ValidationError): SchemaIssue {
  const path = pointerKeys(fieldPath).map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  return { message, path };
}

/** The validator's message, but not an error of the SDK, which quotes the whole value. */
function messageOfRefusal(error: unknown): string {
  const isOwn = error instanceof Error && !("value" in error);
  return isOwn ? error.message : "The tool's validator refused the arguments";
}

/** Prepares a value for core, which would parse a string as JSON. */
export function asArguments(value: unknown): unknown {
  return typeof value === "string" ? JSON.stringify(value) : value;
}
