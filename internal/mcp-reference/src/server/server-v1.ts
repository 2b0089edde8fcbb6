import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  type ListToolsResult,
  McpError,
  ReadResourceRequestSchema,
  type ReadResourceResult,
  ResultSchema,
  type ServerNotification,
  type ServerRequest,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { PROMPTS } from "../surface/prompts.ts";
import { RESOURCES, TEMPLATE, templateData } from "../surface/resources.ts";
import { type Exchange, type Json, text } from "../surface/tool.ts";
import { TOOLS } from "../surface/tools.ts";

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** A low-level server of version 1, which publishes its schemas unchanged. */
export function serverV1(): Server {
  const server = new Server(
    { name: "reference-v1", version: "1.0.0" },
    {
      capabilities: {
        tools: {},
        prompts: {},
        resources: { subscribe: true },
        logging: {},
        completions: {},
      },
    },
  );
  serveTools(server);
  servePrompts(server);
  serveResources(server);
  return server;
}

function serveTools(server: Server): void {
  const tools = TOOLS.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  })) as ListToolsResult["tools"];
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const tool = TOOLS.find(({ name }) => name === params.name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `No tool ${params.name}`);
    try {
      const content = await tool.run(exchangeOf(params.arguments ?? {}, extra));
      return { content };
    } catch (thrown) {
      return { content: [text(String(thrown))], isError: true };
    }
  });
}

function exchangeOf(args: Json, extra: Extra): Exchange {
  const progressToken = extra._meta?.progressToken;
  return {
    args,
    log: async (data) =>
      extra.sendNotification({ method: "notifications/message", params: { level: "info", data } }),
    progress: async (progress) => {
      if (progressToken === undefined) return;
      const params = { progressToken, progress, total: 100 };
      await extra.sendNotification({ method: "notifications/progress", params });
    },
    ask: async (method, params) =>
      extra.sendRequest({ method, params } as unknown as ServerRequest, ResultSchema),
    closeStream: () => extra.closeSSEStream?.(),
  };
}

function servePrompts(server: Server): void {
  const prompts = PROMPTS.map(({ name, description, args }) => ({
    name,
    description,
    arguments: args.map((argument) => ({ name: argument, required: true })),
  }));
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const prompt = PROMPTS.find(({ name }) => name === params.name);
    if (!prompt) throw new McpError(ErrorCode.InvalidParams, `No prompt ${params.name}`);
    const parts = prompt.parts(params.arguments ?? {});
    return { messages: parts.map((content) => ({ role: "user", content })) };
  });
  server.setRequestHandler(CompleteRequestSchema, ({ params }) => ({
    completion: { values: [`${params.argument.value}-completed`] },
  }));
}

function serveResources(server: Server): void {
  const resources = RESOURCES.map(({ uri, name, description, mimeType }) => ({
    uri,
    name,
    description,
    mimeType,
  }));
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [TEMPLATE],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => readResource(uri));
  server.setRequestHandler(SubscribeRequestSchema, () => ({}));
  server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));
}

function readResource(uri: string): ReadResourceResult {
  const found = RESOURCES.find((resource) => resource.uri === uri);
  if (found) return { contents: [{ uri, mimeType: found.mimeType, ...found.body }] };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined) throw new McpError(ErrorCode.InvalidParams, "No such resource", { uri });
  return { contents: [{ uri, mimeType: TEMPLATE.mimeType, text: templateData(id) }] };
}
