import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createContract } from "../contract/index.ts";
import { defineTool } from "./define-tool.ts";
import type { ToolDefinition } from "./tool.ts";

const schema = { type: "object", properties: { q: { type: "string" } }, required: ["q"] };

/** Tools as they are in requests, whose names and schemas nothing would find. */
const FOREIGN: readonly (readonly [kind: string, tool: object, advice: RegExp])[] = [
  ["Gemini's declaration", { name: "search", parametersJsonSchema: schema }, /as `inputSchema`/],
  ["Cohere's", { name: "search", parameter_definitions: {} }, /as `inputSchema`/],
  ["Genkit's", { name: "search", inputJsonSchema: schema }, /as `inputSchema`/],
  ["free text", { type: "custom", name: "search" }, /\{ type: "string" \} for free text/],
  [
    "free text with a grammar",
    { type: "custom", name: "search", format: { type: "grammar", definition: "a" } },
    /\{ type: "string" \} for free text/,
  ],
  ["a format alone", { name: "search", format: "text" }, /`inputSchema`/],
  [
    "a namespace",
    { type: "namespace", name: "search", tools: [{ name: "find", parameters: schema }] },
    /of each of its `tools`/,
  ],
  ["a provider's tool", { type: "bash_20250124", name: "search" }, /`inputSchema`/],
  ["OpenAI Chat's", { type: "function", function: { name: "search" } }, /of its `function`/],
  ["Gemini's", { functionDeclarations: [{ name: "search" }] }, /of each declaration/],
  ["Bedrock's", { toolSpec: { name: "search", inputSchema: { json: schema } } }, /`toolSpec`/],
  ["a tool that the provider runs", { type: "web_search" }, /Leave it out/],
  ["no name", { inputSchema: schema }, /needs a name/],
  ["an empty name", { name: "", inputSchema: schema }, /needs a name/],
];

describe.each(FOREIGN)("a definition that nothing would be validated by: %s", (_, tool, advice) => {
  const contract = createContract({ logger: false });
  const definition = tool as ToolDefinition;
  const call = { id: "call_1", name: "search", arguments: {} };
  const other = { name: "other", inputSchema: schema };
  const execute = (): string => "ran";
  const context = { conversationId: "thread-7", execute };

  test.each<[string, () => unknown]>([
    ["defineTool", () => defineTool(definition)],
    ["check", () => contract.check(definition, {})],
    ["checkAsync", async () => contract.checkAsync(definition, {})],
    ["handle", async () => contract.handle(call, { ...context, tool: definition })],
    ["admit", async () => contract.admit(call, { ...context, tools: [definition] })],
    ["admitTurn", async () => contract.admitTurn([call], { ...context, tools: [definition] })],
    ["handleTurn", async () => contract.handleTurn([call], { ...context, tools: [definition] })],
    // The mistake is the host's, whatever the model calls.
    [
      "handleTurn, for another tool",
      async () =>
        contract.handleTurn([{ ...call, name: "other" }], {
          ...context,
          tools: [other, definition],
        }),
    ],
    [
      "a table by name",
      async () => contract.handle(call, { ...context, tools: { search: definition } }),
    ],
  ])("%s throws, and says what to pass", async (_method, run) => {
    const thrown = await Promise.resolve()
      .then(run)
      .catch((error: unknown) => error);
    expect(thrown).toMatchObject({ name: "ToolContractError" });
    expect((thrown as Error).message).toMatch(advice);
  });
});

test.each<[string, object]>([
  ["Bedrock's", { json: schema }],
  ["the AI SDK's", { _type: undefined, jsonSchema: schema, validate: undefined }],
  ["a response format's", { name: "search", schema, strict: true }],
])("a schema inside %s object is not one", (_, inputSchema) => {
  expect(() => defineTool({ name: "search", inputSchema: { ...inputSchema } })).toThrow(
    /Pass that as `inputSchema`/,
  );
});

test.each<[string, object]>([
  ["a type beside a schema", { type: "function", name: "search", inputSchema: schema }],
  ["a type beside a validator", { type: "custom", name: "search", validator: z.string() }],
  [
    "members of MCP",
    { name: "search", inputSchema: schema, annotations: {}, outputSchema: schema },
  ],
  ["parameters beside a schema", { name: "search", inputSchema: schema, parameters: schema }],
  ["a schema of anything", { name: "search", inputSchema: {} }],
  ["a schema with a keyword of its own", { name: "search", inputSchema: { ...schema, json: {} } }],
  ["free text", { name: "search", inputSchema: { type: "string" } }],
  ["a name alone", { name: "search" }],
])("%s is a definition", (_, definition) => {
  expect(() => defineTool(definition as ToolDefinition)).not.toThrow();
});

describe("a tool that nothing validates", () => {
  /** The log of a contract that has called each tool. */
  async function logOf(...tools: readonly ToolDefinition[]): Promise<readonly unknown[]> {
    const logged: unknown[] = [];
    const logger = (fields: object, message: string): void => void logged.push([fields, message]);
    const contract = createContract({ logger });
    for (const tool of tools) {
      const call = { id: "call_1", name: tool.name, arguments: {} };
      await contract.handle(call, { conversationId: "c", tool, execute: () => "ran" });
    }
    return logged;
  }
  const entry = (tool_name: string): unknown => [
    { level: "warn", package: "core", tool_name },
    "Tool is not validated: it has no schema and no validator",
  ];

  test("is named once in the log", async () => {
    expect(await logOf({ name: "a" }, { name: "a" }, { name: "b" })).toEqual([
      entry("a"),
      entry("b"),
    ]);
  });

  test("is one without rules that takes anything without saying so", async () => {
    const tools = [
      { name: "a", inputSchema: {} },
      { name: "a", inputSchema: true },
      { name: "a", validator: z.unknown() },
      { name: "a", rules: [() => []] },
    ];
    expect(await logOf(...tools)).toEqual([]);
  });

  test("has a name of the host's, never one that a model invents", async () => {
    const logged: object[] = [];
    const contract = createContract({ logger: (fields) => void logged.push(fields) });
    const call = { id: "call_1", name: "invented", arguments: {} };
    const context = { conversationId: "c", tools: [{ name: "a" }], execute: () => "ran" };
    await contract.handle(call, context);
    expect(JSON.stringify(logged)).not.toContain("invented");
  });
});
