import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type NodeIncomingMessageLike, toNodeHandler } from "@modelcontextprotocol/node";
import { StreamableHTTPClientTransport as HttpClientV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { createGate, type GateOptions } from "../gate/index.ts";
import { startOn } from "./http-proxy.ts";
import type { Elicited, Paying } from "./paying.ts";
import { highLevelV2, INFO } from "./test-servers.ts";

const CONVERSATION = "x-conversation";

/** Puts the proxy between a client and a server with a session; closing the client ends both. */
export async function payInSession(
  { server, client }: Paying,
  options: GateOptions,
  conversationId: string,
  enableJsonResponse = false,
): Promise<void> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => "a-session-id",
    enableJsonResponse,
  });
  await server.connect(transport);
  const proxied = await proxyOf((request, response) => {
    void transport.handleRequest(request, response);
  }, options);
  const requestInit = { headers: { [CONVERSATION]: conversationId } };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- clients of the SDK have no listeners
  client.onclose = proxied.close;
  await client.connect(new HttpClientV1(proxied.url, { requestInit }));
}

/** A client and a server of the stateless protocol, with the proxy between them. */
export async function payWithoutSession(
  run: (tool: string, args: unknown) => string,
  options: GateOptions,
  conversationId: string,
  answer?: (message: string) => Elicited,
): Promise<Client> {
  const tools = ["pay", "refund"].map((name) => ({
    name,
    inputSchema: { type: "object" as const },
    run: (args: unknown) => ({ text: run(name, args) }),
  }));
  const serve = toNodeHandler(createMcpHandler(() => highLevelV2(tools)));
  const proxied = await proxyOf((request, response) => {
    void serve(request as NodeIncomingMessageLike, response);
  }, options);
  const client = new Client(INFO, {
    versionNegotiation: { mode: { pin: "2026-07-28" } },
    ...(answer && { capabilities: { elicitation: { form: {} } } }),
  });
  if (answer) {
    client.setRequestHandler(
      "elicitation/create",
      ({ params }) => answer(params.message) as { action: "accept" },
    );
  }
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- clients of the SDK have no listeners
  client.onclose = proxied.close;
  const requestInit = { headers: { [CONVERSATION]: conversationId } };
  await client.connect(new StreamableHTTPClientTransport(proxied.url, { requestInit }));
  return client;
}

async function proxyOf(
  serve: RequestListener,
  options: GateOptions,
): Promise<{ url: URL; close: () => void }> {
  const server = createServer(serve);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const proxy = await startOn(new URL(`http://127.0.0.1:${port}/mcp`), {
    gate: createGate(options),
    attemptKey: `header:${CONVERSATION}`,
  });
  return {
    url: new URL(`http://127.0.0.1:${proxy.port}/mcp`),
    close() {
      void proxy.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
