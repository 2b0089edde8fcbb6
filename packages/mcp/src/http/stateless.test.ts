import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { closePairs, startOn } from "../testing/http-proxy.ts";
import { highLevelV2, lowLevelV2, type TestTool } from "../testing/test-servers.ts";

const INFO = { name: "test", version: "1" };
const ran: unknown[] = [];
const tool: TestTool = {
  name: "order",
  inputSchema: {
    type: "object",
    required: ["region", "quantity"],
    properties: {
      region: { type: "string", "x-mcp-header": "Region" },
      quantity: { type: "integer" },
    },
  },
  run: (args) => {
    ran.push(args);
    return { text: "ordered" };
  },
};

describe.each([
  ["McpServer", highLevelV2],
  ["Server", lowLevelV2],
])("a %s of the protocol without sessions", (_, make) => {
  const server = createServer(toNodeHandler(createMcpHandler(() => make([tool]))) as never);

  beforeEach(async () => {
    ran.length = 0;
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
  });
  afterEach(async () => {
    await closePairs();
    server.closeAllConnections();
    server.close();
  });

  async function connect(): Promise<{ client: Client; url: URL }> {
    const { port } = server.address() as AddressInfo;
    const proxy = await startOn(new URL(`http://127.0.0.1:${port}/mcp`));
    const url = new URL(`http://127.0.0.1:${proxy.port}/mcp`);
    const client = new Client(INFO, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await client.connect(new StreamableHTTPClientTransport(url));
    return { client, url };
  }

  test("is guarded, with the result kind that its clients want", async () => {
    const { client } = await connect();
    await client.listTools();
    const order = async (quantity: unknown): Promise<object> =>
      client.callTool({ name: tool.name, arguments: { region: "eu", quantity } });
    expect(JSON.stringify(await order("two"))).toContain("/quantity (VAL-002)");
    expect(ran).toEqual([]);
    expect(await order(2)).toMatchObject({ content: [{ text: "ordered" }] });
    await client.close();
  });

  test("refuses headers that contradict the message itself", async () => {
    const { client, url } = await connect();
    await client.listTools();
    await client.close();
    const envelope = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const params = { name: tool.name, arguments: {}, _meta: envelope };
    const answer = await fetch(url, {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "another",
      },
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: -32_020 } });
  });
});
