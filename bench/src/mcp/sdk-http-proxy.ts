// A proxy on the transports of the official SDK: passes on messages unchanged, one connection to the server a session.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

const [from, to] = process.argv.slice(2);
const sessions = new Map<string, StreamableHTTPServerTransport>();

async function open(): Promise<StreamableHTTPServerTransport> {
  const toClient = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: true,
    onsessioninitialized: (id) => void sessions.set(id, toClient),
  });
  const toServer = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${to}/mcp`));
  Object.assign(toServer, { onmessage: async (one: JSONRPCMessage) => toClient.send(one) });
  Object.assign(toClient, { onmessage: async (one: JSONRPCMessage) => toServer.send(one) });
  await toServer.start();
  await toClient.start();
  return toClient;
}

createServer((request, response) => {
  const known = sessions.get(String(request.headers["mcp-session-id"]));
  void (known ? Promise.resolve(known) : open()).then((transport) =>
    transport.handleRequest(request, response),
  );
}).listen(Number(from), "127.0.0.1");
