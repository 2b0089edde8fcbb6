import type { Contract, JsonSchema, ToolDefinition } from "@toolcontract/core";
import { asSchema, type ToolSet } from "ai";
import { isMcpTool } from "./mcp-tool.ts";
import { toStandardSchema } from "./schema-validator.ts";
import { isStandardSchema } from "./standard-schema.ts";

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
