import { Server as ServerV1 } from "@modelcontextprotocol/sdk/server/index.js";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import {
  fromJsonSchema,
  McpServer as McpServerV2,
  type RegisteredTool,
  Server as ServerV2,
} from "@modelcontextprotocol/server";
import { z } from "zod";

/** The name of test servers and clients. */
export const INFO = { name: "test", version: "1.0.0" };

/** A tool of a test; it answers with the result of `run`. */
export interface TestTool {
  readonly name: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly run: (
    args: unknown,
    callId: string,
  ) => { readonly text: string; readonly isError?: boolean };
}

type Answer = { content: { type: "text"; text: string }[]; isError?: boolean };

/** The `_meta` key that holds a call's id in the test. */
export const CALL_ID = "dev.toolcontract.test/call";

type Meta = Readonly<Record<string, unknown>> | undefined;

function answerOf(tool: TestTool | undefined, args: unknown, meta: Meta): Answer {
  if (tool === undefined) throw new Error("No such tool");
  const { text, isError } = tool.run(args, (meta?.[CALL_ID] ?? "") as string);
  return { content: [{ type: "text", text }], ...(isError !== undefined && { isError }) };
}

function listed(tools: readonly TestTool[]): { name: string; inputSchema: { type: "object" } }[] {
  return tools.map(({ name, inputSchema }) => ({
    name,
    inputSchema: inputSchema as { type: "object" },
  }));
}

/** A server of version 1 that publishes schemas but does not enforce them. */
export function lowLevelV1(tools: readonly TestTool[]): ServerV1 {
  const server = new ServerV1(INFO, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed(tools) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    answerOf(
      tools.find(({ name }) => name === params.name),
      params.arguments ?? {},
      params._meta,
    ),
  );
  return server;
}

/** A server of version 1 that validates; it takes only zod schemas, so JSON Schema is converted. */
export function highLevelV1(tools: readonly TestTool[]): McpServerV1 {
  const server = new McpServerV1(INFO);
  for (const tool of tools) {
    const inputSchema = z.fromJSONSchema(tool.inputSchema) as z.ZodObject;
    server.registerTool(tool.name, { inputSchema }, (args: unknown, extra) =>
      answerOf(tool, args, extra._meta),
    );
  }
  return server;
}

/** A server of version 2 that publishes schemas but does not enforce them. */
export function lowLevelV2(tools: readonly TestTool[]): ServerV2 {
  const server = new ServerV2(INFO, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: listed(tools) }));
  server.setRequestHandler("tools/call", ({ params }) =>
    answerOf(
      tools.find(({ name }) => name === params.name),
      params.arguments ?? {},
      params._meta,
    ),
  );
  return server;
}

/** A server of version 2 that validates by JSON Schema. */
export function highLevelV2(tools: readonly TestTool[]): McpServerV2 {
  const server = new McpServerV2(INFO);
  for (const tool of tools) addTool(server, tool);
  return server;
}

/** Adds a tool to a server of version 2. */
export function addTool(server: McpServerV2, tool: TestTool): RegisteredTool {
  const inputSchema = fromJsonSchema<Record<string, unknown>>(tool.inputSchema);
  return server.registerTool(tool.name, { inputSchema }, (args, context) =>
    answerOf(tool, args, context.mcpReq._meta),
  );
}
