import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { createMcpExpressApp } from "@modelcontextprotocol/sdk/server/express.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { isRecord } from "../wire/index.ts";
import { parseFirstWins } from "./parse-first-wins.ts";
import { lowLevelV1, type TestTool } from "./test-servers.ts";

/** A server that listens on a port. */
export interface ReadingServer {
  readonly url: URL;
  readonly close: () => void;
}

/** Chooses the tools of a request. */
export type ToolsOf = (request: IncomingMessage) => readonly TestTool[];

/** Serves a listener on a free port, or on a given one. */
export async function serveOn(serve: RequestListener, port = 0): Promise<ReadingServer> {
  const server: Server = createServer(serve);
  await new Promise<void>((resolve) => {
    server.listen(port, "127.0.0.1", resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${actual}/mcp`),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Version 1 of the SDK without sessions, which reads the body itself. */
export async function sdkServer(toolsOf: ToolsOf, port = 0): Promise<ReadingServer> {
  return serveOn((request, response) => {
    void handle(toolsOf, request, response, undefined);
  }, port);
}

/** The same behind Express, whose parser reads the body. */
export async function sdkOnExpress(toolsOf: ToolsOf): Promise<ReadingServer> {
  const app = createMcpExpressApp();
  app.all("/mcp", (request: ExpressRequest, response: Response) => {
    void handle(toolsOf, request, response, request.body);
  });
  return serveOn(app);
}

type ExpressRequest = IncomingMessage & { readonly body: unknown };
type Response = Parameters<RequestListener>[1];

async function handle(
  toolsOf: ToolsOf,
  request: IncomingMessage,
  response: Response,
  body: unknown,
): Promise<void> {
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  await lowLevelV1(toolsOf(request)).connect(transport);
  await transport.handleRequest(request, response, body);
}

/** A hand-written server behind Express that runs whatever looks like a call. */
export async function lenientOnExpress(tools: readonly TestTool[]): Promise<ReadingServer> {
  const app = createMcpExpressApp();
  app.all("/mcp", (request: ExpressRequest, response: Response) => {
    answerLeniently(request.body, tools, response);
  });
  return serveOn(app);
}

/** A hand-written server whose parser keeps the first of two members with the same name. */
export async function firstWins(tools: readonly TestTool[]): Promise<ReadingServer> {
  return serveOn((request, response) => {
    void buffer(request).then((bytes) => {
      answerLeniently(parseFirstWins(bytes.toString("utf8")), tools, response);
    });
  });
}

function answerLeniently(body: unknown, tools: readonly TestTool[], response: Response): void {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  const answers = messages.filter(isRecord).map((message) => {
    const { id = null, method, params } = message;
    const { name, arguments: args } = isRecord(params) ? params : {};
    const tool = tools.find((one) => one.name === String(name));
    if (method === "tools/call" && tool) tool.run(args, "");
    const listed = tools.map(({ name: own, inputSchema }) => ({ name: own, inputSchema }));
    return { jsonrpc: "2.0", id, result: method === "tools/list" ? { tools: listed } : {} };
  });
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(Array.isArray(body) ? answers : (answers[0] ?? {})));
}
