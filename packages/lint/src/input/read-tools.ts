import { isRecord } from "@toolcontract/explain/adapter";
import type { JsonSchema } from "@toolcontract/explain";
import { type JsonObject, type LintTool, type ToolForm, join } from "../shared/index.ts";

/** A tool of a document, and where it is in it. */
export interface ReadTool extends LintTool {
  /** JSON Pointer to the tool in the document. */
  readonly pointer: string;
}

/** The keys below which documents hold lists of tools. */
const LISTS = ["tools", "functionDeclarations", "function_declarations", "functions"];

/** The keys that make an object a schema. */
const SCHEMA_KEYS = new Set(
  (
    "type enum const properties required items prefixItems anyOf oneOf allOf not if $ref $defs definitions $schema " +
    "additionalProperties patternProperties minimum maximum minLength maxLength pattern format"
  ).split(" "),
);

interface Form {
  readonly form: ToolForm;
  /** The key with the schema of the arguments. */
  readonly key: string;
  /** The keys that lead to the object with name and schema; undefined if the value has another form. */
  readonly keysIn: (tool: JsonObject) => readonly string[] | undefined;
}

const FORMS: readonly Form[] = [
  { form: "mcp", key: "inputSchema", keysIn: (tool) => ("inputSchema" in tool ? [] : undefined) },
  {
    form: "anthropic",
    key: "input_schema",
    keysIn: (tool) => ("input_schema" in tool ? [] : undefined),
  },
  {
    form: "openai",
    key: "parameters",
    keysIn: ({ type, function: declared, name }) => {
      if (type !== "function") return undefined;
      if (isRecord(declared)) return ["function"];
      return typeof name === "string" ? [] : undefined;
    },
  },
  {
    form: "gemini",
    key: "parametersJsonSchema",
    keysIn: (tool) => ("parametersJsonSchema" in tool ? [] : undefined),
  },
  {
    form: "openai",
    key: "parameters",
    keysIn: (tool) => ("parameters" in tool && typeof tool["name"] === "string" ? [] : undefined),
  },
  {
    form: "langchain",
    key: "schema",
    keysIn: (tool) =>
      isRecord(tool["schema"]) && typeof tool["name"] === "string" ? [] : undefined,
  },
  {
    form: "mcp",
    key: "inputSchema",
    // A tool without arguments.
    keysIn: (tool) =>
      typeof tool["name"] === "string" &&
      typeof tool["description"] === "string" &&
      !isBareSchema(tool)
        ? []
        : undefined,
  },
];

/**
 * Reads the tools of a document: a list of an MCP server, of OpenAI, Anthropic, Gemini or LangChain, one of its tools, or
 * JSON Schemas; none if it holds none.
 *
 * @param name - The name of a schema that says none.
 * @example
 * ```ts
 * for (const tool of readTools(document)) console.log(tool.name);
 * ```
 * @see docs/lint.md
 */
export function readTools(document: unknown, name = "tool"): readonly ReadTool[] {
  return readAt(document, "", name, false);
}

function readAt(
  value: unknown,
  pointer: string,
  name: string,
  isGemini: boolean,
): readonly ReadTool[] {
  if (Array.isArray(value)) {
    return value.flatMap((one, index) =>
      readAt(one, join(pointer, index), value.length === 1 ? name : `${name}[${index}]`, isGemini),
    );
  }
  if (!isRecord(value)) return [];
  for (const key of LISTS) {
    const list = value[key];
    if (!Array.isArray(list)) continue;
    return readAt(list, join(pointer, key), name, key !== "tools" && key !== "functions");
  }
  if (
    isRecord(value["result"]) &&
    LISTS.some((key) => Array.isArray((value["result"] as JsonObject)[key]))
  )
    return readAt(value["result"], join(pointer, "result"), name, false);
  for (const form of FORMS) {
    const keys = form.keysIn(value);
    if (keys) return [declaredTool(value, keys, form, pointer, name, isGemini)];
  }
  return isBareSchema(value) ? [schemaTool(value, pointer, name)] : [];
}

function isBareSchema(value: JsonObject): boolean {
  return Object.keys(value).some((key) => SCHEMA_KEYS.has(key));
}

function declaredTool(
  source: JsonObject,
  keys: readonly string[],
  { form, key }: Form,
  pointer: string,
  fallback: string,
  isGemini: boolean,
): ReadTool {
  const inner = keys.reduce<JsonObject>((value, one) => value[one] as JsonObject, source);
  const at = (member: string): string => join("", ...keys, member);
  const { name, description, [key]: schema, outputSchema } = inner;
  const given = isJsonSchema(schema) ? schema : undefined;
  // Gemini's own dialect writes types in capitals.
  const isLoud = isGemini || (isRecord(given) && /^[A-Z]+$/.test(String(given["type"])));
  return {
    name: typeof name === "string" && name !== "" ? name : fallback,
    ...(typeof description === "string" && { description }),
    ...(given !== undefined && { inputSchema: isLoud ? quietTypes(given) : given }),
    ...(isJsonSchema(outputSchema) && { outputSchema }),
    form: isLoud ? "gemini" : form,
    source,
    at: {
      name: at("name"),
      description: at("description"),
      inputSchema: at(key),
      outputSchema: at("outputSchema"),
    },
    pointer,
  };
}

function schemaTool(source: JsonObject, pointer: string, fallback: string): ReadTool {
  const { title, description } = source;
  return {
    name: typeof title === "string" && /^[\w./-]{1,64}$/.test(title) ? title : fallback,
    ...(typeof description === "string" && { description }),
    inputSchema: source,
    form: "schema",
    source,
    at: { name: "/title", description: "/description", inputSchema: "", outputSchema: "" },
    pointer,
  };
}

function isJsonSchema(value: unknown): value is JsonSchema {
  return typeof value === "boolean" || isRecord(value);
}

const LOUD = new Set(["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"]);

/** Writes the types of a schema as JSON Schema does. */
function quietTypes<T>(value: T): T {
  if (Array.isArray(value)) return value.map(quietTypes) as T;
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === "type" && typeof member === "string" && LOUD.has(member)
        ? member.toLowerCase()
        : quietTypes(member),
    ]),
  ) as T;
}
