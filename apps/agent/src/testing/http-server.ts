import { EventEmitter, once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";

/** A server on loopback that ends with its test. */
export interface HttpServer {
  readonly url: string;
  /** The headers of every request. */
  readonly headers: readonly IncomingHttpHeaders[];
  readonly close: () => Promise<void>;
}

type Answer = (request: Request) => Promise<Response>;

/** A server that answers every request with one status, and repeats the key. */
export async function serveStatus(status: number): Promise<HttpServer> {
  return serve(async ({ headers }) => new Response(headers.get("authorization"), { status }));
}

/** A server that never answers. */
export async function serveSilent(): Promise<HttpServer & { readonly isAsked: Promise<void> }> {
  const asked = new EventEmitter();
  const isAsked = once(asked, "request").then(() => undefined);
  const server = await serve(async () => {
    asked.emit("request");
    return new Promise(() => undefined);
  });
  return { ...server, isAsked };
}

/** An MCP server over Streamable HTTP, whose tool `greet` greets a name. */
export async function serveGreeter(): Promise<HttpServer> {
  const { fetch } = createMcpHandler(() => {
    const server = new McpServer({ name: "greeter", version: "1" });
    const inputSchema = fromJsonSchema<{ readonly name: string }>({
      type: "object",
      properties: { name: { type: "string" } },
      required: ["name"],
    });
    server.registerTool("greet", { inputSchema }, async ({ name }) => ({
      content: [{ type: "text", text: `Hello, ${name}!` }],
    }));
    return server;
  });
  return serve(fetch);
}

/** The address of a port that nobody listens to. */
export async function closedUrl(): Promise<string> {
  const { url, close } = await serveStatus(500);
  await close();
  return url;
}

async function serve(answer: Answer): Promise<HttpServer> {
  const headers: IncomingHttpHeaders[] = [];
  const http = createServer((incoming, response) => {
    headers.push(incoming.headers);
    void requestOf(incoming)
      .then(answer)
      .then(async (answered) => {
        response.writeHead(answered.status, Object.fromEntries(answered.headers));
        response.end(Buffer.from(await answered.arrayBuffer()));
      });
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    headers,
    async close() {
      if (!http.listening) return;
      http.close();
      http.closeAllConnections();
      await once(http, "close");
    },
  };
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const { method = "GET", url = "/", headers } = incoming;
  const body = await buffer(incoming);
  return new Request(`http://127.0.0.1${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]),
    ...(body.length > 0 && { body }),
  });
}
