import { ToolContractError } from "@toolcontract/explain";
import { isRecord } from "@toolcontract/explain/adapter";
import type { RunnableTool, ToolDefinition } from "./tool.ts";

/** Names that other libraries and APIs use for the schema. */
const SCHEMA_NAMES: readonly string[] = [
  "parameters",
  "parametersJsonSchema",
  "parameters_json_schema",
  "parameterDefinitions",
  "parameter_definitions",
  "input_schema",
  "inputJsonSchema",
  "schema",
  "jsonSchema",
  "json_schema",
  "args_schema",
  "argsSchema",
];

const OF_PROVIDER =
  'pass the JSON Schema of its arguments as `inputSchema`, or { type: "string" } for free text. Leave it out if the provider runs it';

/** What only a tool in a request to a provider has, and what to pass instead. */
const REQUEST_MEMBERS: readonly (readonly [member: string, instead: string])[] = [
  ["function", "pass { name, inputSchema: parameters } of its `function`"],
  ["functionDeclarations", "pass { name, inputSchema: parametersJsonSchema } of each declaration"],
  ["function_declarations", "pass { name, inputSchema: parameters } of each declaration"],
  ["toolSpec", "pass { name, inputSchema: inputSchema.json } of its `toolSpec`"],
  ["tools", "pass { name, inputSchema: parameters } of each of its `tools`"],
  ["type", OF_PROVIDER],
  ["format", OF_PROVIDER],
];

/** What some libraries put a JSON Schema into, and keywords that a schema itself has. */
const WRAPPERS: readonly string[] = ["json", "jsonSchema", "schema"];
const KEYWORDS: readonly string[] = ["type", "properties", "$ref", "anyOf", "oneOf", "allOf"];

/**
 * Throws if a definition has no name, or a shape under which nothing would be validated.
 *
 * @remarks It costs little, so that a whole table of tools can be checked before any of them is called.
 */
export function checkShape(definition: ToolDefinition): void {
  const name: unknown = definition?.name;
  const isNamed = typeof name === "string" && name !== "";
  const where = isNamed ? whereOf(name) : "A tool definition needs a name, and this one has none";
  const hasSchema = definition?.inputSchema !== undefined || definition?.validator !== undefined;
  if (!hasSchema) {
    const misnamed = SCHEMA_NAMES.find((other) => has(definition, other));
    if (isNamed && misnamed !== undefined) {
      throw new ToolContractError(
        `${where}: unknown property '${misnamed}'. Pass a JSON Schema as \`inputSchema\`, or a zod schema as \`validator\`.`,
      );
    }
    const [member, instead] = REQUEST_MEMBERS.find(([other]) => has(definition, other)) ?? [];
    if (member !== undefined) {
      throw new ToolContractError(
        `${where}: '${member}' without a schema is how a request to a provider names a tool, and nothing would check its arguments. Instead, ${instead}.`,
      );
    }
  }
  if (isNamed) return;
  throw new ToolContractError(
    'A tool definition needs a name: pass { name: "read_file", inputSchema: { … } }.',
  );
}

function has(definition: unknown, member: string): boolean {
  return isRecord(definition) && Object.hasOwn(definition, member);
}

function whereOf(name: string): string {
  return `Tool '${name.slice(0, 64)}'`;
}

/** Throws if a tool definition is unusable, saying what is wrong and how to fix it. */
export function checkDefinition(definition: ToolDefinition): void {
  checkShape(definition);
  const where = whereOf(definition.name);
  const { inputSchema, validator, rules, formatter } = definition;
  const { execute } = definition as Partial<RunnableTool>;
  if (inputSchema !== undefined && typeof inputSchema !== "boolean")
    checkSchema(inputSchema, where);
  if (validator !== undefined && typeof validator?.["~standard"]?.validate !== "function") {
    throw new ToolContractError(
      `${where}: validator must be a Standard Schema (zod 3.24+, valibot 1, arktype 2, …).`,
    );
  }
  const isRule = (rule: unknown): boolean => typeof rule === "function";
  if (rules !== undefined && !(Array.isArray(rules) && rules.every(isRule))) {
    throw new ToolContractError(
      `${where}: rules must be an array of functions (args, { tool, signal }) => errors.`,
    );
  }
  if (formatter !== undefined && typeof formatter !== "function") {
    throw new ToolContractError(
      `${where}: formatter must be a function (errors, context) => string | undefined.`,
    );
  }
  if (execute !== undefined && typeof execute !== "function") {
    throw new ToolContractError(
      `${where}: execute must be the function (args, { call, signal }) => result that runs the tool.`,
    );
  }
}

function checkSchema(inputSchema: unknown, where: string): void {
  if (!isRecord(inputSchema)) {
    throw new ToolContractError(
      `${where}: inputSchema must be a JSON Schema object. Pass a zod schema as \`validator\`.`,
    );
  }
  // `z.toJSONSchema` returns a JSON Schema with a hidden `~standard`.
  if ("~standard" in inputSchema && typeof inputSchema["$schema"] !== "string") {
    throw new ToolContractError(
      `${where}: inputSchema is a Standard Schema validator. Pass it as \`validator\`.`,
    );
  }
  const wrapper = KEYWORDS.some((keyword) => keyword in inputSchema)
    ? undefined
    : WRAPPERS.find((name) => isRecord(inputSchema[name]));
  if (wrapper === undefined) return;
  throw new ToolContractError(
    `${where}: inputSchema is an object around the schema, which is in its '${wrapper}'. Pass that as \`inputSchema\`.`,
  );
}
