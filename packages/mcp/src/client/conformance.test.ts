import {
  Client as ClientV2,
  InMemoryTransport as MemoryV2,
  StreamableHTTPClientTransport as HttpV2,
} from "@modelcontextprotocol/client";
import { describeAdapter } from "@toolcontract/conformance";
import { parseRejection } from "@toolcontract/core";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as MemoryV1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { connected } from "../testing/sdk-servers.ts";
import { guardrailsOf } from "../testing/table-case.ts";
import { CANNOT, type ConnectThrough, harnessOf } from "../testing/table-host.ts";
import { highLevelV2, INFO, lowLevelV1 } from "../testing/test-servers.ts";
import { gateTransport } from "./gate-transport.ts";

const inMemoryV1: ConnectThrough = async (tools, gate) => {
  const server = lowLevelV1(tools);
  const [near, far] = MemoryV1.createLinkedPair();
  const client = new ClientV1(INFO);
  await Promise.all([server.connect(far), client.connect(gateTransport(near, gate))]);
  return connected(client, async () => server.close());
};

const inMemoryV2: ConnectThrough = async (tools, gate) => {
  const server = highLevelV2(tools);
  const [near, far] = MemoryV2.createLinkedPair();
  const client = new ClientV2(INFO);
  await Promise.all([server.connect(far), client.connect(gateTransport(near, gate))]);
  return connected(client, async () => server.close());
};

const modernHttpV2: ConnectThrough = async (tools, gate) => {
  const handler = createMcpHandler(() => highLevelV2(tools));
  const client = new ClientV2(INFO, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  const fetch = async (url: string | URL, init?: RequestInit): Promise<Response> =>
    handler.fetch(new Request(url, init));
  const transport = new HttpV2(new URL("http://127.0.0.1/mcp"), { fetch });
  await client.connect(gateTransport(transport, gate));
  return connected(client, async () => handler.close());
};

// A low-level server runs any call; a high-level one rejects invalid calls in its own words, which are then rewritten.
const CLIENTS = [
  ["v1 Client in memory", inMemoryV1, "reject"],
  ["v2 Client in memory", inMemoryV2, "assist"],
  ["v2 Client over HTTP, 2026-07-28", modernHttpV2, "assist"],
] as const;

for (const [name, connect, soft] of CLIENTS) {
  describeAdapter(`gateTransport on ${name}`, harnessOf(connect, soft), {
    parseRejection,
    createGuardrails: guardrailsOf,
    cannot: CANNOT,
  });
}
