import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { AnyClient } from "./use-server.ts";

const INFO = { name: "reference", version: "1.0.0" };
const CAPABILITIES = { elicitation: { form: { applyDefaults: true } } };
const ACCEPTED = { action: "accept" as const, content: {} };

/** A connected client. */
export interface Connection {
  readonly client: AnyClient;
  readonly close: () => Promise<void>;
}

/** Connects a client of version 1, which supports only the session-based protocol. */
export async function connectV1(url: URL): Promise<Connection> {
  const client = new ClientV1(INFO, { capabilities: CAPABILITIES });
  client.setRequestHandler(ElicitRequestSchema, () => ACCEPTED);
  await client.connect(new HttpV1(url));
  return { client: client as unknown as AnyClient, close: async () => client.close() };
}

/** Connects a client of version 2, with the protocol of a revision. */
export async function connectV2(url: URL, revision: string): Promise<Connection> {
  const mode = revision === "2026-07-28" ? "auto" : "legacy";
  const client = new ClientV2(INFO, { capabilities: CAPABILITIES, versionNegotiation: { mode } });
  client.setRequestHandler("elicitation/create", () => ACCEPTED);
  await client.connect(new HttpV2(url));
  return { client: client as unknown as AnyClient, close: async () => client.close() };
}
