import { isRecord } from "@toolcontract/explain/adapter";
import type { JsonSchema } from "@toolcontract/explain";
import { type JsonObject, type LintTool, type ToolForm, join } from "../shared/index.ts";
import { isBareSchema } from "./is-schema.ts";

/** A tool of a document, and where it is in it. */
export interface ReadTool extends LintTool {
  /** JSON Pointer to the tool in the document. */
  readonly pointer: string;
}

/** The keys below which documents hold lists of tools. */
const LISTS = ["tools", "functionDeclarations", "function_declarations", "functions"];

/** What a tool without arguments may say of itself; a manifest says more. */
const TOOL_KEYS = new Set(
  "name title description annotations outputSchema execution icons _meta type strict".split(" "),
);

interface Form {
  readonly form: ToolForm;
  /** The key with the schema of the arguments; several if it is deeper inside. */
  readonly key: string;
  readonly inner?: string;
  /** The keys that lead to the object with name and schema; undefined if the value has another form. */
  readonly keysIn: (tool: JsonObject) => readonly string[] | undefined;
}

const FORMS: readonly Form[] = [
  {
    form: "bedrock",
    key: "inputSchema",
    inner: "json",
    keysIn: ({ toolSpec }) => (isRecord(toolSpec) ? ["toolSpec"] : undefined),
  },
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
      Object.keys(tool).every((key) => TOOL_KEYS.has(key)) &&
      tool["type"] === undefined
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
  for (const key of ["result", "toolConfig"]) {
    const holder = value[key];
    if (isRecord(holder) && LISTS.some((list) => Array.isArray(holder[list])))
      return readAt(holder, join(pointer, key), name, false);
  }
  for (const form of FORMS) {
    const keys = form.keysIn(value);
    if (keys) return [declaredTool(value, keys, form, pointer, name, isGemini)];
  }
  if (isBareSchema(value)) return [schemaTool(value, pointer, name)];
  const named = Object.entries(value);
  if (named.length === 0 || !named.every(([, one]) => isNamedOutside(one))) return [];
  return named.map(([key, one]) => {
    const tool = one as JsonObject;
    const form = MAP_FORMS.find((known) => isRecord(tool[known.key])) ?? MAP_FORMS[0];
    return declaredTool(tool, [], form, join(pointer, key), key, isGemini);
  });
}

/** Whether a value is a tool whose name is the key of a map: its description and the schema of its arguments. */
function isNamedOutside(value: unknown): boolean {
  if (!isRecord(value) || value["name"] !== undefined) return false;
  return MAP_FORMS.some(({ key }) => isRecord(value[key]));
}

/** How the tools of a map are declared. */
const MAP_FORMS = [
  { form: "openai", key: "parameters" },
  { form: "mcp", key: "inputSchema" },
  { form: "anthropic", key: "input_schema" },
] as const;

function declaredTool(
  source: JsonObject,
  keys: readonly string[],
  { form, key, inner: deeper }: Omit<Form, "keysIn">,
  pointer: string,
  fallback: string,
  isGemini: boolean,
): ReadTool {
  const inner = keys.reduce<JsonObject>((value, one) => value[one] as JsonObject, source);
  const at = (member: string): string => join("", ...keys, member);
  const { name, description, [key]: holder, outputSchema } = inner;
  const schema = deeper !== undefined && isRecord(holder) ? holder[deeper] : holder;
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
      inputSchema: deeper === undefined ? at(key) : join(at(key), deeper),
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
