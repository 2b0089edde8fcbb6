import {
  completable,
  createRequestStateCodec,
  fromJsonSchema,
  type GetPromptResult,
  McpServer,
  type RequestStateCodec,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { addDiagnosticTools, type ListChanges } from "./diagnostic-tools.ts";
import { addInputRequiredTools } from "./input-required-tools.ts";
import { PROMPTS, type PromptArguments } from "../surface/prompts.ts";
import { RESOURCES, TEMPLATE, templateData } from "../surface/resources.ts";
import type { Exchange, Json } from "../surface/tool.ts";
import { TOOLS } from "../surface/tools.ts";

// One key for all servers of the process: the rounds of a call may reach different ones.
const states: RequestStateCodec<string> = createRequestStateCodec<string>({
  key: "a key for tests: 32 bytes at the least",
});

/** A high-level server of version 2, for the session-based and the stateless protocol. */
export function serverV2(changes: ListChanges): McpServer {
  const server = new McpServer(
    { name: "reference-v2", version: "1.0.0" },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true },
        logging: {},
      },
      requestState: { verify: async (state, context) => states.verify(state, context) },
    },
  );
  serveTools(server);
  servePrompts(server);
  serveResources(server);
  addInputRequiredTools(server, states);
  addDiagnosticTools(server, changes);
  return server;
}

function serveTools(server: McpServer): void {
  for (const { name, description, inputSchema, run } of TOOLS) {
    const schema = fromJsonSchema<Json>(inputSchema);
    server.registerTool(name, { description, inputSchema: schema }, async (args, context) => {
      const content = await run(exchangeOf(args, context));
      return { content: [...content] };
    });
  }
}

function exchangeOf(args: Json, { mcpReq, http }: ServerContext): Exchange {
  const progressToken = mcpReq._meta?.progressToken;
  return {
    args,
    log: async (words) => mcpReq.log("info", words),
    progress: async (progress) => {
      if (progressToken === undefined) return;
      const params = { progressToken, progress, total: 100 };
      await mcpReq.notify({ method: "notifications/progress", params });
    },
    ask: async (method, params) => mcpReq.send({ method, params }) as Promise<Json>,
    closeStream: () => http?.closeSSE?.(),
  };
}

function servePrompts(server: McpServer): void {
  for (const { name, description, args, parts } of PROMPTS) {
    const give = (given: PromptArguments): GetPromptResult => ({
      messages: parts(given).map((content) => ({ role: "user", content })),
    });
    if (args.length === 0) {
      server.registerPrompt(name, { description }, () => give({}));
      continue;
    }
    const complete = (value: string): string[] => [`${value}-completed`];
    const fields = args.map((arg) => [arg, completable(z.string(), complete)] as const);
    const argsSchema = z.object(Object.fromEntries(fields));
    server.registerPrompt(name, { description, argsSchema }, give);
  }
}

function serveResources(server: McpServer): void {
  for (const { uri, name, description, mimeType, body } of RESOURCES) {
    server.registerResource(name, uri, { description, mimeType }, () => ({
      contents: [{ uri, mimeType, ...body }],
    }));
  }
  const { uriTemplate, name, description, mimeType } = TEMPLATE;
  const template = new ResourceTemplate(uriTemplate, { list: undefined });
  server.registerResource(name, template, { description, mimeType }, (uri, { id }) => ({
    contents: [{ uri: uri.href, mimeType, text: templateData(String(id)) }],
  }));
  server.server.setRequestHandler("resources/subscribe", () => ({}));
  server.server.setRequestHandler("resources/unsubscribe", () => ({}));
}
