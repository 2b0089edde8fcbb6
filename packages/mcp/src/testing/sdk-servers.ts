import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import {
  Client as ClientV2,
  InMemoryTransport as MemoryV2,
  StreamableHTTPClientTransport as HttpClientV2,
} from "@modelcontextprotocol/client";
import { type NodeIncomingMessageLike, toNodeHandler } from "@modelcontextprotocol/node";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpClientV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport as MemoryV1 } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Server as ServerV1 } from "@modelcontextprotocol/sdk/server/index.js";
import type { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  createMcpHandler,
  type McpServer as McpServerV2,
  type Server as ServerV2,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { SdkServer, SdkTransport } from "../in-process/index.ts";
import {
  CALL_ID,
  highLevelV1,
  highLevelV2,
  INFO,
  lowLevelV1,
  lowLevelV2,
  type TestTool,
} from "./test-servers.ts";

/** A client that is connected to a server. */
export interface Connected {
  /** `callId` is passed to the tool. */
  call(name: string, args: unknown, callId?: string): Promise<CallResult>;
  listTools(): Promise<void>;
  close(): Promise<void>;
}

/** The part of a result that tests check. */
export interface CallResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Serves tools and connects a client; `guard` is called with each server before it is connected. */
export type Connect = (
  tools: readonly TestTool[],
  guard: (server: SdkServer) => unknown,
) => Promise<Connected>;

/** Wraps a client in the interface of the tests. */
export function connected(
  client: ClientV1 | ClientV2,
  end: () => Promise<unknown> | void,
): Connected {
  return {
    async call(name, args, callId) {
      const params = { name, arguments: args as Record<string, unknown> };
      const meta = callId === undefined ? {} : { _meta: { [CALL_ID]: callId } };
      return (await client.callTool({ ...params, ...meta })) as CallResult;
    },
    async listTools() {
      await client.listTools();
    },
    async close() {
      await client.close();
      await end();
    },
  };
}

function inMemoryV1(make: (tools: readonly TestTool[]) => ServerV1 | McpServerV1): Connect {
  return async (tools, guard) => {
    const server = make(tools);
    guard(server);
    const [near, far] = MemoryV1.createLinkedPair();
    const client = new ClientV1(INFO);
    await Promise.all([server.connect(far), client.connect(near)]);
    return connected(client, async () => server.close());
  };
}

function inMemoryV2(make: (tools: readonly TestTool[]) => ServerV2 | McpServerV2): Connect {
  return async (tools, guard) => {
    const server = make(tools);
    guard(server);
    const [near, far] = MemoryV2.createLinkedPair();
    const client = new ClientV2(INFO);
    await Promise.all([server.connect(far), client.connect(near)]);
    return connected(client, async () => server.close());
  };
}

/**
 * Serves tools on a loopback port; the client connects to the URL that `through` gives for the server's, over the
 * transport that `around` gives for its own.
 */
export type ConnectHttp = (
  tools: readonly TestTool[],
  through: (url: URL) => Promise<URL>,
  around?: Around,
) => Promise<Connected>;

type Around = <Transport extends SdkTransport>(transport: Transport) => Transport;
const unchanged: Around = (transport) => transport;

interface Endpoint {
  readonly url: URL;
  readonly close: () => void;
}

async function listen(serve: RequestListener): Promise<Endpoint> {
  const http = createServer(serve);
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  const { port } = http.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    close() {
      http.closeAllConnections();
      http.close();
    },
  };
}

async function sessionsV1(
  server: ServerV1 | McpServerV1,
  through: (url: URL) => Promise<URL>,
  around: Around = unchanged,
): Promise<Connected> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => "a-session-id",
    enableJsonResponse: false,
  });
  await server.connect(transport);
  const { url, close } = await listen((request, response) => {
    void transport.handleRequest(request, response);
  });
  const client = new ClientV1(INFO);
  await client.connect(around(new HttpClientV1(await through(url))));
  return connected(client, async () => {
    await server.close();
    close();
  });
}

const modernHttpV2: ConnectHttp = async (tools, through, around = unchanged) => {
  const handler = createMcpHandler(() => highLevelV2(tools));
  const serve = toNodeHandler(handler);
  const { url, close } = await listen((request, response) => {
    void serve(request as NodeIncomingMessageLike, response);
  });
  const client = new ClientV2(INFO, { versionNegotiation: { mode: MODERN } });
  await client.connect(around(new HttpClientV2(await through(url))));
  return connected(client, async () => {
    await handler.close();
    close();
  });
};

type Mode = "legacy" | { readonly pin: string };
const MODERN: Mode = { pin: "2026-07-28" };

function perRequestV2(mode: Mode): Connect {
  return async (tools, guard) => {
    const handler = createMcpHandler(() => {
      const server = highLevelV2(tools);
      guard(server);
      return server;
    });
    const client = new ClientV2(INFO, { versionNegotiation: { mode } });
    const fetch = async (url: string | URL, init?: RequestInit): Promise<Response> =>
      handler.fetch(new Request(url, init));
    await client.connect(new HttpClientV2(new URL("http://127.0.0.1/mcp"), { fetch }));
    return connected(client, async () => handler.close());
  };
}

function stdioV2(mode: Mode): Connect {
  return async (tools, guard) => {
    const [near, far] = MemoryV2.createLinkedPair();
    const handle = serveStdio(
      () => {
        const server = highLevelV2(tools);
        guard(server);
        return server;
      },
      { transport: far },
    );
    const client = new ClientV2(INFO, { versionNegotiation: { mode } });
    await client.connect(near);
    return connected(client, async () => handle.close());
  };
}

/** Every way that the SDKs serve tools, by name. */
export const WAYS: Readonly<Record<string, Connect>> = {
  "v1 McpServer in memory": inMemoryV1(highLevelV1),
  "v1 Server in memory": inMemoryV1(lowLevelV1),
  "v1 McpServer over Streamable HTTP": async (tools, guard) => {
    const server = highLevelV1(tools);
    guard(server);
    return sessionsV1(server, async (url) => url);
  },
  "v2 McpServer in memory": inMemoryV2(highLevelV2),
  "v2 Server in memory": inMemoryV2(lowLevelV2),
  "v2 createMcpHandler, 2025-11-25": perRequestV2("legacy"),
  "v2 createMcpHandler, 2026-07-28": perRequestV2(MODERN),
  "v2 serveStdio, 2025-11-25": stdioV2("legacy"),
  "v2 serveStdio, 2026-07-28": stdioV2(MODERN),
};

type HttpServerName = "v1 Server with sessions" | "v2 createMcpHandler, 2026-07-28";

/** Servers that listen on a port, by name. */
export const HTTP_SERVERS: Readonly<Record<HttpServerName, ConnectHttp>> = {
  "v1 Server with sessions": async (tools, ...given) => sessionsV1(lowLevelV1(tools), ...given),
  "v2 createMcpHandler, 2026-07-28": modernHttpV2,
};
