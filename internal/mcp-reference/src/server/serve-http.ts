import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type NodeIncomingMessageLike,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
  toWebRequest,
} from "@modelcontextprotocol/node";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { JSONRPCMessage as MessageV1 } from "@modelcontextprotocol/sdk/types.js";
import {
  createMcpHandler,
  isLegacyRequest,
  type JSONRPCMessage as MessageV2,
} from "@modelcontextprotocol/server";
import type { SdkServer } from "@toolcontract/mcp";
import { createEventStore } from "./event-store.ts";
import { isLocalRequest, readJson } from "./node-request.ts";
import { serverV1 } from "./server-v1.ts";
import { serverV2 } from "./server-v2.ts";
import { createSessions } from "./sessions.ts";

/** The SDK line of a server. */
export type Line = "v1" | "v2";

/** Called with each server before it is connected. */
export type Guard = (server: SdkServer) => unknown;

/** A reference server that listens on a port. */
export interface HttpServer {
  readonly url: string;
  close(): Promise<void>;
}

interface Endpoint {
  handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>;
  close(): Promise<void>;
}

/** Serves a reference server over Streamable HTTP on the loopback address. */
export async function serveHttp(line: Line, guard: Guard = () => undefined): Promise<HttpServer> {
  const endpoint = line === "v1" ? endpointV1(guard) : endpointV2(guard);
  const http = createServer((request, response) => {
    void answer(endpoint, request, response);
  });
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      await endpoint.close();
      http.close();
      http.closeAllConnections();
    },
  };
}

async function answer(
  endpoint: Endpoint,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isLocalRequest(request)) {
    response.writeHead(403).end();
    return;
  }
  try {
    const body = request.method === "POST" ? await readJson(request) : undefined;
    await endpoint.handle(request, response, body);
  } catch (thrown) {
    if (!response.headersSent) response.writeHead(500);
    response.end(String(thrown));
  }
}

function endpointV1(guard: Guard): Endpoint {
  return createSessions(async (eventsOf) => {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: createEventStore<MessageV1>(),
      retryInterval: 100,
      ...eventsOf(() => transport),
    });
    const server = serverV1();
    guard(server);
    await server.connect(transport);
    return transport;
  });
}

function endpointV2(guard: Guard): Endpoint {
  const make = (): ReturnType<typeof serverV2> => {
    const server = serverV2({
      tools: () => modern.notify.toolsChanged(),
      prompts: () => modern.notify.promptsChanged(),
    });
    guard(server);
    return server;
  };
  const modern = createMcpHandler(make, { legacy: "reject" });
  const handleModern = toNodeHandler(modern);
  const sessions = createSessions(async (eventsOf) => {
    const transport: NodeStreamableHTTPServerTransport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: createEventStore<MessageV2>(),
      retryInterval: 100,
      ...eventsOf(() => transport),
    });
    await make().connect(transport);
    return transport;
  });
  return {
    async handle(request, response, body) {
      const asked = await toWebRequest(request as NodeIncomingMessageLike, body);
      if (await isLegacyRequest(asked, body)) return sessions.handle(request, response, body);
      return handleModern(request as NodeIncomingMessageLike, response, body);
    },
    async close() {
      await Promise.all([sessions.close(), modern.close()]);
    },
  };
}
