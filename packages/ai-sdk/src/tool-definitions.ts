import type { Contract, JsonSchema, ToolDefinition, ValidationError } from "@toolcontract/core";
import { type Schema, type ToolSet, asSchema } from "ai";

type AnyTool = ToolSet[string];

/** The tools as core knows them. */
export interface ToolDefinitions {
  /** The definition of a declared tool, made when first asked for. */
  get(name: string): Promise<ToolDefinition | undefined>;
}

/** Reads tools of the SDK; each definition is made once, so that core works its plan out once. */
export function createToolDefinitions(tools: ToolSet, contract: Contract): ToolDefinitions {
  const known = new Map<string, Promise<ToolDefinition>>();

  async function get(name: string): Promise<ToolDefinition | undefined> {
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
    if (tool === undefined) return undefined;
    const made = known.get(name) ?? define(name, tool, contract);
    known.set(name, made);
    return made;
  }

  return { get };
}

async function define(name: string, tool: AnyTool, contract: Contract): Promise<ToolDefinition> {
  return { name, ...(await judgeOf(name, tool, contract)) };
}

/** The tool's own validator judges; where it has none, its JSON Schema does. */
async function judgeOf(
  name: string,
  tool: AnyTool,
  contract: Contract,
): Promise<Pick<ToolDefinition, "validator" | "inputSchema">> {
  const given: unknown = tool.inputSchema;
  // The SDK would refuse unknown fields of a tool that declares no schema at all.
  if (given === undefined || given === null) return { inputSchema: { type: "object" } };
  if (isStandardSchema(given)) return { validator: given };
  const schema = asSchema(tool.inputSchema);
  const inputSchema = await jsonSchemaOf(schema);
  if (schema.validate !== undefined) {
    const validator = toStandardSchema(schema, { name, inputSchema: inputSchema ?? {} }, contract);
    return { validator, ...(inputSchema && { inputSchema }) };
  }
  if (inputSchema === undefined) return {};
  return { inputSchema: isMcpTool(tool) ? withoutAddedKeyword(inputSchema) : inputSchema };
}

async function jsonSchemaOf(
  schema: ReturnType<typeof asSchema>,
): Promise<SchemaObject | undefined> {
  try {
    // A copy, because zod hides its own validator on the schemas that it writes.
    return { ...((await schema.jsonSchema) as SchemaObject) };
  } catch {
    // A schema without a JSON form still has its validator.
    return undefined;
  }
}

type SchemaObject = Exclude<JsonSchema, boolean>;

/** The client sets it on every schema, whatever the server said. */
function withoutAddedKeyword(schema: SchemaObject): SchemaObject {
  const { additionalProperties, ...own } = schema;
  return additionalProperties === false ? own : schema;
}

type Issue = { readonly message: string; readonly path?: readonly PropertyKey[] };

/** Lets the validator inside of the SDK's own schema object judge as any other (zodSchema, jsonSchema with validate). */
function toStandardSchema(
  schema: Schema,
  explaining: ToolDefinition,
  contract: Contract,
): StandardSchema {
  return {
    "~standard": {
      version: 1,
      // Issues of other libraries read as a path and a message, which core then explains by the JSON Schema.
      vendor: "zod",
      async validate(value) {
        const verdict = await schema.validate?.(value);
        if (verdict === undefined || verdict.success) return { value: verdict?.value ?? value };
        const { error } = verdict;
        const issues = issuesOf(error) ?? (await schemaIssues(value, explaining, contract));
        return { issues: issues.length > 0 ? issues : [{ message: wordsOf(error) }] };
      },
    },
  };
}

/** The issues that validation libraries put on their errors, or the SDK below its own one. */
function issuesOf(error: unknown, depth = 0): readonly Issue[] | undefined {
  if (Array.isArray(error)) return error as readonly Issue[];
  if (typeof error !== "object" || error === null || depth > 3) return undefined;
  if ("issues" in error && Array.isArray(error.issues)) return error.issues as readonly Issue[];
  return "cause" in error ? issuesOf(error.cause, depth + 1) : undefined;
}

/** What the JSON Schema finds wrong, for validators that do not say where the fault is. */
async function schemaIssues(
  value: unknown,
  explaining: ToolDefinition,
  contract: Contract,
): Promise<readonly Issue[]> {
  const result = await contract.checkAsync({ ...explaining }, asArguments(value));
  return result.status === "valid" ? [] : result.errors.map(toIssue);
}

function toIssue({ fieldPath, message }: ValidationError): Issue {
  const path = fieldPath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return { message, path: path.map((part) => (/^\d+$/.test(part) ? Number(part) : part)) };
}

/** An error of the SDK quotes the whole value. */
function wordsOf(error: unknown): string {
  const isOwn = error instanceof Error && !("value" in error);
  return isOwn ? error.message : "The tool's validator refused the arguments";
}

/** A validator of any library, as core takes it. */
type StandardSchema = NonNullable<ToolDefinition["validator"]>;

/** Tells a Standard Schema (zod, valibot, arktype, …) from the SDK's own schema objects. */
function isStandardSchema(schema: unknown): schema is StandardSchema {
  const isObject = typeof schema === "object" || typeof schema === "function";
  return isObject && schema !== null && "~standard" in schema;
}

/** A value as core takes arguments: core would read a string as JSON text. */
export function asArguments(value: unknown): unknown {
  return typeof value === "string" ? JSON.stringify(value) : value;
}

/** Tells whether the SDK's MCP client made the tool from what a server declares. */
export function isMcpTool(tool: AnyTool): boolean {
  return tool.type === "dynamic" && "_meta" in tool;
}
