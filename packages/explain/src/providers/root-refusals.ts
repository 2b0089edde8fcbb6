import { isRecord } from "../shared/index.ts";
import type { Fault, Refusal, SchemaAt } from "./refusal.ts";

/** What Anthropic takes as the name of a property of the arguments. */
export const PROPERTY_NAME: RegExp = /^[\w.-]{1,64}$/;

const UNIONS = ["anyOf", "oneOf", "allOf"];
const MOST_NAMED = 3;

/** What the schema of the arguments must be as a whole. */
export const ROOT_REFUSALS: readonly Refusal<SchemaAt>[] = [
  {
    shape:
      "The schema of the arguments is not one of an object: no `type`, a list of types, fields in place of keywords",
    who: ["openai", "anthropic", "gemini", "bedrock", "mcp"],
    finds: notAnObject,
    write: 'write "type": "object" at the top',
    known: "run",
    source:
      "@modelcontextprotocol/sdk 1.32.2 and client 2.4.0; https://github.com/elie222/inbox-zero/issues/2231",
  },
  {
    shape: "`anyOf`, `oneOf` or `allOf` at the top",
    who: ["openai", "anthropic", "bedrock"],
    finds: ({ node }) => faultsOf(node, UNIONS, (one) => `${one} stands at the top of the schema`),
    write:
      "declare all fields in one object, and let the tool or the contract check how they go together",
    known: "reported",
    source:
      "https://github.com/anthropics/claude-code/issues/40075, https://github.com/makenotion/notion-mcp-server/issues/341",
  },
  {
    shape: "`not`, `enum` or `const` at the top",
    who: ["openai"],
    finds: ({ node }) =>
      faultsOf(node, ["not", "enum", "const"], (one) => `${one} stands at the top of the schema`),
    write: "leave it out, and let the tool or the contract check it",
    known: "reported",
    source: "https://github.com/chatanywhere/GPT_API_free/issues/403",
  },
  {
    shape: "An object at the top without `properties`",
    who: ["openai"],
    *finds({ node }) {
      if (node["type"] === "object" && node["properties"] === undefined)
        yield { what: "the object at the top has no properties" };
    },
    write: 'add "properties": {}',
    known: "reported",
    source:
      "https://github.com/mark3labs/mcphost/issues/88, https://github.com/spring-projects/spring-ai/issues/4776",
  },
  {
    shape: "A property at the top whose name is not 1 to 64 letters, digits, `_`, `.` or `-`",
    who: ["anthropic", "bedrock"],
    *finds({ node: { properties } }) {
      const names = isRecord(properties) ? Object.keys(properties) : [];
      const odd = names.filter((name) => !PROPERTY_NAME.test(name));
      if (odd.length === 0) return;
      const what =
        odd.length === 1
          ? "the name of a property is"
          : `the names of ${odd.length} properties are`;
      yield {
        keyword: "properties",
        what: `${what} not letters, digits, _ . - alone, or longer than 64: ${firstNames(odd)}`,
      };
    },
    write: "rename the property, and map it back in the tool",
    known: "reported",
    source:
      "https://github.com/twilio-labs/mcp/issues/58, https://github.com/aws-solutions-library-samples/accelerated-intelligent-document-processing-on-aws/issues/709",
  },
  {
    shape: "A property at the top whose schema is `true` or no schema",
    who: ["mcp"],
    *finds({ node: { properties } }) {
      if (properties !== undefined && !isRecord(properties)) return;
      const odd = Object.entries(properties ?? {}).filter(([, one]) => !isRecord(one));
      if (odd.length > 0)
        yield {
          keyword: "properties",
          what: `the schema of a property is not an object: ${firstNames(odd.map(([name]) => name))}`,
        };
    },
    write: "write {} for any value",
    known: "run",
    source: "@modelcontextprotocol/sdk 1.32.2",
  },
  {
    shape: "`properties` that is not an object, `required` that is not a list of names",
    who: ["mcp"],
    *finds({ node: { properties, required } }) {
      if (properties !== undefined && !isRecord(properties))
        yield { keyword: "properties", what: "properties is not an object" };
      const isNames = Array.isArray(required) && required.every((one) => typeof one === "string");
      if (required !== undefined && !isNames)
        yield { keyword: "required", what: "required is not a list of names" };
    },
    write: "write an object of schemas, and a list of names",
    known: "run",
    source: "@modelcontextprotocol/sdk 1.32.2 and client 2.4.0",
  },
];

function* notAnObject({ node }: SchemaAt): Generator<Fault> {
  const { type } = node;
  if (type === "object") return;
  if (isFieldMap(node)) {
    const names = Object.keys(node);
    yield {
      what: `fields stand where keywords belong (${firstNames(names)}), so that nothing is enforced`,
      write: 'put them into "properties" of a schema with "type": "object"',
    };
  } else if (type === undefined) yield { what: 'the schema has no "type": "object" at the top' };
  else
    yield {
      keyword: "type",
      what: `type at the top is ${shortJson(type)}, not "object"`,
      ...(Array.isArray(type) && { write: 'write "type": "object", not a list' }),
    };
}

/** Whether a schema is nothing but a map of names to schemas of fields. */
function isFieldMap(node: SchemaAt["node"]): boolean {
  const members = Object.entries(node).filter(([name]) => name !== "$schema");
  return (
    members.length > 0 &&
    members.every(
      ([name, one]) =>
        !COMPOUND.has(name) &&
        isRecord(one) &&
        ["type", "description", "enum", "properties", "items", "anyOf"].some((key) =>
          Object.hasOwn(one, key),
        ),
    )
  );
}

const COMPOUND = new Set([
  "properties",
  "items",
  "not",
  "if",
  "then",
  "else",
  "$defs",
  "definitions",
]);

function* faultsOf(
  node: SchemaAt["node"],
  keywords: readonly string[],
  what: (keyword: string) => string,
): Generator<Fault> {
  for (const keyword of keywords)
    if (Object.hasOwn(node, keyword)) yield { keyword, what: what(keyword) };
}

function firstNames(names: readonly string[]): string {
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
  return names.slice(0, MOST_NAMED).map(shortJson).join(", ") + more;
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > 64 ? `${text.slice(0, 63)}…` : text;
}
