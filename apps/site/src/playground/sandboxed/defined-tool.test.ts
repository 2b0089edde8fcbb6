import { expect, test } from "vitest";
import * as z from "zod";
import { definedTool } from "./defined-tool.ts";

const schema = z.object({ path: z.string() });

test.each([
  ["nothing", undefined, { schema: undefined }],
  ["a schema", schema, { schema }],
  ["a tool of the AI SDK", { description: "Reads", inputSchema: schema }, { schema }],
  ["a tool of MCP", { name: "read", inputSchema: schema }, { name: "read", schema }],
  ["a function of OpenAI", { name: "read", parameters: schema }, { name: "read", schema }],
  ["a tool of LangChain", { name: "read", schema }, { name: "read", schema }],
  ["an object that is not a tool", { path: "string" }, { schema: undefined }],
  ["a name that is not a string", { name: 1, schema }, { schema }],
  ["null", null, { schema: null }],
  ["a function", String, { schema: String }],
])("%s", (_, exported, expected) => {
  expect(definedTool(exported)).toEqual(expected);
});
