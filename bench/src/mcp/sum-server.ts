// An MCP server with one tool on the official SDK: on stdio, or on HTTP if a port is given.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

const port = process.argv[2];
if (port === undefined) await createSumServer().connect(new StdioServerTransport());
else serveHttp(Number(port));

function createSumServer(): McpServer {
  const server = new McpServer({ name: "sum", version: "1.0.0" });
  const inputSchema = { a: z.number(), b: z.number() };
  server.registerTool("sum", { description: "Adds two numbers", inputSchema }, ({ a, b }) => ({
    content: [{ type: "text", text: String(a + b) }],
  }));
  return server;
}

/** Serves one session after the other. */
function serveHttp(listenOn: number): void {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void transports.set(id, transport),
    });
    await createSumServer().connect(transport);
    return transport;
  };
  createServer((request, response) => {
    const session = String(request.headers["mcp-session-id"]);
    const known = transports.get(session);
    void (known ? Promise.resolve(known) : open()).then((transport) =>
      transport.handleRequest(request, response),
    );
  }).listen(listenOn, "127.0.0.1");
}
