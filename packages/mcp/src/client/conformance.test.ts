import { Client as ClientV2, InMemoryTransport as MemoryV2 } from "@modelcontextprotocol/client";
import { describeAdapter } from "@toolcontract/case-table";
import { parseRejection } from "@toolcontract/core";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as MemoryV1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { connected, type ConnectHttp, HTTP_SERVERS } from "../testing/sdk-servers.ts";
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

function overHttp(serve: ConnectHttp): ConnectThrough {
  const direct = async (url: URL): Promise<URL> => url;
  return async (tools, gate) => serve(tools, direct, (transport) => gateTransport(transport, gate));
}

// A low-level server runs any call; a high-level one rejects invalid calls in its own words, which are then rewritten.
const CLIENTS = [
  ["v1 Client in memory", inMemoryV1, "reject"],
  ["v2 Client in memory", inMemoryV2, "assist"],
  ["v1 Client over HTTP", overHttp(HTTP_SERVERS["v1 Server with sessions"]), "reject"],
  ["v2 Client over HTTP", overHttp(HTTP_SERVERS["v2 createMcpHandler, 2026-07-28"]), "assist"],
] as const;

for (const [name, connect, soft] of CLIENTS) {
  describeAdapter(`gateTransport on ${name}`, harnessOf(connect, soft), {
    parseRejection,
    createGuardrails: guardrailsOf,
    cannot: CANNOT,
    // The gate is the same in process, where each case runs.
    share: "one in six",
  });
}
