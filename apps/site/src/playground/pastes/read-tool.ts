import { type ToolDefinition, defineTool } from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";
import { findJsonFault } from "../json/index.ts";
import type { ToolText } from "../state/index.ts";

/** What the code of a tool evaluates to: a schema of zod, or any other Standard Schema. */
export type Validator = NonNullable<ToolDefinition["validator"]>;

/** A tool, or why its text could not be read as one. */
export type ReadTool = ToolAsRead | { readonly fault: string };

interface ToolAsRead {
  readonly definition: ToolDefinition;
  /** How its text was read, such as `"an MCP tool"`. */
  readonly readAs: string;
  /** Whether its text says its name. */
  readonly isNamed: boolean;
  /** The other tools of the same list. */
  readonly others?: readonly ToolDefinition[];
}

const UNNAMED = "my_tool";

/**
 * Reads a tool from its text: a JSON Schema, or a tool as a provider, LangChain or MCP declares it.
 *
 * @param validator - What the text evaluated to, if it is code.
 * @param ownName - The tool's name in its code.
 * @param calledName - The name for a tool that says none.
 */
export function readTool(
  { language, text }: ToolText,
  validator?: Validator,
  ownName?: string,
  calledName?: string,
): ReadTool {
  const name = nameOf(calledName) ?? UNNAMED;
  if (language === "zod") return readCode(name, validator, nameOf(ownName));
  if (text.trim() === "") return { fault: "Paste a JSON Schema or a whole tool." };
  try {
    return readDocument(JSON.parse(text), name, calledName);
  } catch {
    return { fault: describeJson(text) };
  }
}

const NO_SCHEMA =
  "The code defines no schema. Write one, such as z.object({ … }), or an object with a name and an inputSchema.";

function readCode(name: string, validator?: Validator, ownName?: string): ReadTool {
  if (validator === undefined) return { fault: NO_SCHEMA };
  const vendor = nameOf(validator["~standard"]?.vendor) ?? "a Standard Schema";
  return checked({ name: ownName ?? name, validator }, vendor, ownName !== undefined);
}

/** Reads one tool; of a list or a request, the tool that is called, or else the first. */
function readDocument(value: unknown, name: string, calledName?: string): ReadTool {
  const listed = toolsIn(value);
  if (listed === undefined) return readJson(value, name);
  const all = listed.map((tool) => readJson(tool, name));
  const named = all.find(
    (tool) => "definition" in tool && tool.isNamed && tool.definition.name === calledName,
  );
  const tool = named ?? all[0] ?? { fault: "This list is empty. Paste one with tools." };
  if ("fault" in tool || all.length === 1) return tool;
  const which = named ? "the called one" : "the first";
  const others = all.flatMap((one) => ("definition" in one && one !== tool ? one.definition : []));
  return { ...tool, others, readAs: `${tool.readAs}, ${which} of ${all.length} in this list` };
}

/** How deeply lists of tools are in each other: a request, a tool of Gemini, its functions. */
const MOST_LISTS = 4;

/** Reads the tools from a list, a server's response or a request; undefined if the value is none of these. */
function toolsIn(value: unknown, depth = MOST_LISTS): readonly unknown[] | undefined {
  if (depth === 0) return undefined;
  if (Array.isArray(value)) return value.flatMap((one) => toolsIn(one, depth - 1) ?? [one]);
  if (!isRecord(value)) return undefined;
  const { tools, functions, functionDeclarations, function_declarations: declarations } = value;
  const list = [tools, functions, functionDeclarations, declarations].find(Array.isArray);
  if (list !== undefined) return toolsIn(list, depth - 1);
  return isRecord(value["result"]) ? toolsIn(value["result"], depth - 1) : undefined;
}

function readJson(value: unknown, name: string): ReadTool {
  if (typeof value === "boolean")
    return checked({ name, inputSchema: value }, "a bare JSON Schema");
  if (!isRecord(value))
    return { fault: 'This is not a tool. Paste a JSON Schema, such as {"type":"object"}.' };
  for (const { kind, key, read } of FORMS) {
    const declared = read(value);
    if (declared === undefined) continue;
    const { [key]: schema = {}, name: ownName } = declared;
    if (typeof schema !== "boolean" && !isRecord(schema))
      return { fault: `This is ${kind}, but its ${key} is not a JSON Schema.` };
    const own = nameOf(ownName);
    return checked({ name: own ?? name, inputSchema: schema }, kind, own !== undefined);
  }
  const own = titleOf(value);
  const named = { name: own ?? name, inputSchema: value };
  const read = checked(named, "a bare JSON Schema", own !== undefined);
  return "fault" in read || isSchema(value) ? read : { fault: NOT_A_SCHEMA };
}

const NOT_A_SCHEMA =
  'This has no schema. Paste a JSON Schema, such as {"type":"object"}, or a whole tool.';

/** Keywords that allow less than everything. */
const KEYWORDS: ReadonlySet<string> = new Set(
  [
    "type enum const format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
    "properties required additionalProperties patternProperties propertyNames minProperties maxProperties",
    "dependencies dependentRequired dependentSchemas unevaluatedProperties",
    "items additionalItems prefixItems contains minItems maxItems uniqueItems unevaluatedItems",
    "allOf anyOf oneOf not if definitions $ref $defs $schema $dynamicRef",
  ].flatMap((names) => names.split(" ")),
);

/** Whether an object is a JSON Schema: a form that is not known would allow every call as one. */
function isSchema(value: Fields): boolean {
  const keys = Object.keys(value);
  return keys.length === 0 || keys.some((key) => KEYWORDS.has(key));
}

type Fields = Readonly<Record<string, unknown>>;

interface Form {
  readonly kind: string;
  /** Where the schema is. */
  readonly key: string;
  /** The object with the name and the schema, if the value has this form. */
  readonly read: (value: Fields) => Fields | undefined;
}

const FORMS: readonly Form[] = [
  {
    kind: "an MCP tool",
    key: "inputSchema",
    read: (value) => ("inputSchema" in value ? value : undefined),
  },
  {
    kind: "an Anthropic tool",
    key: "input_schema",
    read: (value) => ("input_schema" in value ? value : undefined),
  },
  {
    kind: "an OpenAI function",
    key: "parameters",
    read: (value) => {
      const { type, function: declared, name } = value;
      if (type === "function") return isRecord(declared) ? declared : value;
      return "parameters" in value && typeof name === "string" ? value : undefined;
    },
  },
  {
    kind: "a Gemini function",
    key: "parametersJsonSchema",
    read: (value) => ("parametersJsonSchema" in value ? value : undefined),
  },
  {
    kind: "a LangChain tool",
    key: "schema",
    read: (value) => ("schema" in value && typeof value["name"] === "string" ? value : undefined),
  },
];

function nameOf(name: unknown): string | undefined {
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** A schema's title, if a tool may be named so. */
function titleOf({ title }: Fields): string | undefined {
  return typeof title === "string" && /^[\w-]{1,64}$/.test(title) ? title : undefined;
}

/** The tool, or why core refuses it. */
function checked(definition: ToolDefinition, readAs: string, isNamed = false): ReadTool {
  try {
    return { definition: defineTool(definition), readAs, isNamed };
  } catch (thrown) {
    return { fault: thrown instanceof Error ? thrown.message : "This is not a tool." };
  }
}

/** Where the string stops being JSON, and an example that is a tool. */
function describeJson(text: string): string {
  const { line, column, message } = findJsonFault(text) ?? UNKNOWN;
  return `Line ${line}, column ${column}: ${message}. ${WORKS}`;
}

const UNKNOWN = { line: 1, column: 1, message: "This is not JSON" };

const WORKS =
  'This one works: {"name":"weather","inputSchema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}';
