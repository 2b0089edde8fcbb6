import {
  Client as NextClient,
  InMemoryTransport as NextTransport,
} from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, test } from "vitest";
import { lintTools } from "../engine/index.ts";
import { readTools } from "../input/index.ts";
import type { LintFinding } from "../shared/index.ts";

type Options = Parameters<typeof lintTools>[1];

const object = { type: "object", properties: {} };
const withField = (field: unknown, more: object = {}): object => ({
  name: "t",
  inputSchema: { type: "object", properties: { f: field }, ...more },
});
const withResult = (field: unknown): object => ({
  name: "t",
  inputSchema: object,
  outputSchema: { type: "object", properties: { f: field } },
});

/** What is found of a tool, as the sentence that follows who refuses it, by who that is. */
function foundIn(document: unknown, options: Options = {}): readonly (readonly [string, string])[] {
  return lintTools(readTools(document), { grade: false, ...options })
    .findings.filter(({ rule }) => rule === "provider-breaks")
    .map(({ message }) => {
      const [, who = "", what = ""] =
        /^Refused by (.*), with all that is sent beside it: (.*)$/.exec(message) ?? [];
      return [who, what] as const;
    });
}

const MCP = "clients on the official MCP SDKs";
const ALL = `OpenAI, Anthropic, Gemini, Bedrock and ${MCP}`;

describe("what is refused in the normal mode of a provider", () => {
  test.each<readonly [what: string, who: string, tool: object]>([
    ["the schema has no", ALL, { name: "t", inputSchema: {} }],
    ["type at the top is", ALL, { name: "t", inputSchema: { ...object, type: ["object"] } }],
    ["type at the top is", ALL, { name: "t", inputSchema: { type: "string" } }],
    [
      "fields stand where keywords belong",
      ALL,
      { name: "t", inputSchema: { city: { type: "string" }, zip: { description: "Zip" } } },
    ],
    [
      "anyOf stands at the top",
      "OpenAI, Anthropic and Bedrock",
      { name: "t", inputSchema: { ...object, anyOf: [{ required: ["a"] }] } },
    ],
    [
      "oneOf stands at the top",
      "OpenAI, Anthropic and Bedrock",
      { name: "t", inputSchema: { ...object, oneOf: [object] } },
    ],
    [
      "allOf stands at the top",
      "OpenAI, Anthropic and Bedrock",
      { name: "t", inputSchema: { ...object, allOf: [object] } },
    ],
    ["not stands at the top", "OpenAI", { name: "t", inputSchema: { ...object, not: {} } }],
    ["enum stands at the top", "OpenAI", { name: "t", inputSchema: { ...object, enum: [{}] } }],
    ["const stands at the top", "OpenAI", { name: "t", inputSchema: { ...object, const: {} } }],
    ["the object at the top has no", "OpenAI", { name: "t", inputSchema: { type: "object" } }],
    [
      "the name of a property",
      "Anthropic and Bedrock",
      { name: "t", inputSchema: { type: "object", properties: { $top: {} } } },
    ],
    [
      "the names of 2 properties",
      "Anthropic and Bedrock",
      { name: "t", inputSchema: { type: "object", properties: { "a[]": {}, Größe: {} } } },
    ],
    [
      "the name of the tool has 65",
      "OpenAI and Bedrock",
      { name: "x".repeat(65), inputSchema: object },
    ],
    ["the name of the tool is", "Gemini", { name: "7up", inputSchema: object }],
    ["the description is empty", "Bedrock", { name: "t", description: "", inputSchema: object }],
    [
      "exclusiveMinimum is true",
      "OpenAI, Anthropic and Bedrock",
      withField({ type: "number", minimum: 0, exclusiveMinimum: true }),
    ],
    [
      "items is a list",
      "OpenAI, Anthropic and Bedrock",
      withField({ type: "array", items: [{ type: "number" }] }),
    ],
    ["the value of type is not", "OpenAI, Anthropic and Bedrock", withField({ type: "strng" })],
    ["the value of anyOf is not", "OpenAI, Anthropic and Bedrock", withField({ anyOf: [] })],
    [
      "the value of description is not",
      "OpenAI, Anthropic and Bedrock",
      withField({ type: "string", description: null }),
    ],
    ["$ref leads nowhere", "OpenAI and Anthropic", withField({ $ref: "#/$defs/None" })],
    ["an array has no items", "OpenAI and Gemini", withField({ type: "array" })],
    [
      "an array has no items",
      "OpenAI and Gemini",
      withField({ anyOf: [{ type: "array" }, { type: "null" }] }),
    ],
    ["an array has no items", "Gemini", withField({ type: "array", prefixItems: [{}] })],
    [
      "a regular expression has \\p{…}",
      "OpenAI",
      withField({ type: "string", pattern: "^\\p{L}+$" }),
    ],
    [
      "a regular expression has (?<year>",
      "OpenAI",
      withField({ type: "string", pattern: "(?<year>\\d+)" }),
    ],
    [
      "a regular expression has \\u{…}",
      "OpenAI",
      withField({ type: "string", pattern: "\\u{1F600}" }),
    ],
    ["the values of an enum are not all", "Gemini", withField({ type: "integer", enum: [1, 2] })],
    ["a value of an enum is empty", "Gemini", withField({ type: "string", enum: ["", "a"] })],
    ["type is a list", "Gemini", withField({ type: ["array", "null"], items: {} })],
    ["type is a list", "Gemini", withField({ type: "array", items: { type: ["object", "null"] } })],
    ["required names a field", "Gemini", withField({ type: "string" }, { required: ["g"] })],
    ['the schema of "f" is true', "Gemini", withField(true)],
  ])("%s: %s", (what, who, tool) => {
    expect(foundIn(tool).filter(([, said]) => said.startsWith(what))).toEqual([
      [who, expect.any(String)],
    ]);
  });

  test.each<readonly [what: string, document: object]>([
    ["a union below the top", withField({ anyOf: [{ type: "string" }, { type: "integer" }] })],
    ["an empty list of properties", { name: "t", inputSchema: object }],
    ["an object without properties below the top", withField({ type: "object" })],
    ["odd names below the top", withField({ type: "object", properties: { $top: {} } })],
    ["a list of types, which clients translate", withField({ type: ["object", "null"] })],
    ["a reference that leads somewhere", withField({ $ref: "#/$defs/a" }, { $defs: { a: {} } })],
    ["a recursive reference", withField({ $ref: "#" })],
    ["bounds of draft 2020-12", withField({ type: "number", exclusiveMinimum: 0 })],
    [
      "look-around and the escapes of Python",
      withField({ type: "string", pattern: "^(?!a)\\d\\u00e9\\\\p$" }),
    ],
    [
      "strict mode alone refuses it",
      withField({ type: "string", minLength: 2 }, { additionalProperties: true }),
    ],
    [
      "a dialect",
      { name: "t", inputSchema: { $schema: "http://json-schema.org/draft-07/schema#", ...object } },
    ],
    ["a bare schema has no name", [{ type: "object", title: "some thing", properties: {} }]],
  ])("takes %s", (_, document) => {
    expect(foundIn(document)).toEqual([]);
  });
});

test("what is refused is said with what to write", () => {
  const { findings } = lintTools(
    readTools(withField({ type: "number", minimum: 0, exclusiveMinimum: true })),
  );
  expect(findings[0]).toEqual<LintFinding>({
    rule: "provider-breaks",
    severity: "error",
    tool: "t",
    path: "/inputSchema/properties/f/exclusiveMinimum",
    message:
      "Refused by OpenAI, Anthropic and Bedrock, with all that is sent beside it: exclusiveMinimum is true, as in draft 4, and providers read draft 2020-12",
    fix: 'write the limit itself: "exclusiveMinimum": <number>',
  });
});

describe("for whom", () => {
  const tool = withField(
    { type: "array" },
    { $schema: "https://json-schema.org/draft/2020-12/schema" },
  );

  test("only what the named ones refuse is reported", () => {
    expect(foundIn(tool).map(([who]) => who)).toEqual(["OpenAI and Gemini"]);
    expect(foundIn(tool, { for: ["openai"] }).map(([who]) => who)).toEqual(["OpenAI"]);
    expect(foundIn(tool, { for: ["anthropic", "mcp"] })).toEqual([]);
  });

  test("what clients take out for Gemini is reported if Gemini is named", () => {
    expect(foundIn(tool, { for: ["gemini"] }).map(([, what]) => what)).toContain(
      "the older form of declarations has no $schema",
    );
  });

  test("a declaration of Gemini is read by nobody else", () => {
    const declared = { functionDeclarations: [{ name: "a.b", parameters: { type: "OBJECT" } }] };
    expect(foundIn(declared)).toEqual([]);
  });

  test("a tool of a request is not read by clients of MCP", () => {
    expect(foundIn({ name: "t", input_schema: {} }).map(([who]) => who)).toEqual([
      "OpenAI, Anthropic, Gemini and Bedrock",
    ]);
  });
});

describe("a list as a whole", () => {
  test("two tools of one name are refused", () => {
    expect(foundIn([withField({}), withField({})])).toEqual([
      ["Anthropic and Gemini", "another tool of the list has the same name"],
    ]);
  });

  test("more than 128 tools are refused", () => {
    const tools = Array.from({ length: 129 }, (_, index) => ({
      ...withField({}),
      name: `t${index}`,
    }));
    expect(foundIn(tools)).toEqual([["OpenAI", "the list has 129 tools, more than 128"]]);
  });
});

/** Lists a tool with a client of the SDK, and says whether the whole list is lost. */
async function losesList(tool: object): Promise<boolean> {
  const server = new Server({ name: "s", version: "1" }, { capabilities: { tools: {} } });
  const tools = [tool, { name: "other", inputSchema: object }];
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: structuredClone(tools) }));
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "c", version: "1" });
  await Promise.all([server.connect(there), client.connect(here)]);
  try {
    return (await client.listTools()).tools.length === 0;
  } catch {
    return true;
  } finally {
    await client.close();
  }
}

describe("clients on the official SDKs lose the whole list", () => {
  const cases: readonly (readonly [what: string, tool: object, isLost: boolean])[] = [
    ["inputSchema is {}", { name: "t", inputSchema: {} }, true],
    ["no inputSchema", { name: "t", description: "d" }, true],
    ["type is a list", { name: "t", inputSchema: { type: ["object"] } }, true],
    ["a property is true", withField(true), true],
    ["properties is null", { name: "t", inputSchema: { type: "object", properties: null } }, true],
    ["required is a text", withField({}, { required: "f" }), true],
    ["description is null", { ...withField({}), description: null }, true],
    ["annotations is null", { ...withField({}), annotations: null }, true],
    ["a hint is a text", { ...withField({}), annotations: { readOnlyHint: "yes" } }, true],
    ["_meta is a list", { ...withField({}), _meta: [] }, true],
    ["an icon has no src", { ...withField({}), icons: [{}] }, true],
    ["a result that is a list", { ...withField({}), outputSchema: { type: "array" } }, true],
    ["a result that leads nowhere", withResult({ $ref: "#/$defs/Screen" }), true],
    ["a type of a result that does not exist", withResult({ type: "strng" }), true],
    [
      "a pattern of a result that does not compile",
      withResult({ type: "string", pattern: "(" }),
      true,
    ],
    [
      "a bound of draft 4 in a result",
      withResult({ type: "number", exclusiveMinimum: true }),
      true,
    ],
    ["an empty enum in a result", withResult({ enum: [] }), true],
    ["nullable beside no type in a result", withResult({ nullable: true }), true],
    ["an odd name", { ...withField({}), name: "a b/c" }, false],
    ["a reference of the arguments that leads nowhere", withField({ $ref: "#/$defs/None" }), false],
    ["a tuple in a result", withResult({ type: "array", items: [{}] }), false],
    ["a recursive result", withResult({ $ref: "#" }), false],
    [
      "an unknown dialect of a result",
      { ...withField({}), outputSchema: { $schema: "https://x.y", ...object } },
      false,
    ],
  ];

  test.each(cases)("%s: the linter and the SDK agree", async (_, tool, isLost) => {
    expect(await losesList(tool)).toBe(isLost);
    const found = foundIn(tool, { for: ["mcp"] });
    expect(found.map(([who]) => who)).toEqual(isLost ? [MCP] : []);
  });

  test("version 2 loses it, too, for an input schema that is not of an object", async () => {
    const [server, transport] = NextTransport.createLinkedPair();
    const client = new NextClient({ name: "c", version: "1" });
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport of the SDK is not an EventTarget
    server.onmessage = (message) => {
      const { id, method } = message as { readonly id: number; readonly method: string };
      const result =
        method === "initialize"
          ? {
              protocolVersion: "2025-06-18",
              capabilities: { tools: {} },
              serverInfo: { name: "s", version: "1" },
            }
          : { tools: [{ name: "t", inputSchema: {} }] };
      if (id !== undefined) void server.send({ jsonrpc: "2.0", id, result });
    };
    await server.start();
    await client.connect(transport);
    await expect(client.listTools()).rejects.toThrow("inputSchema");
    await client.close();
  });
});
