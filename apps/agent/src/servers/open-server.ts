import { setTimeout as sleep } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

import type { HttpServerConfig, McpServerConfig } from "../settings/index.ts";
import type { ContractOptions } from "@toolcontract/core";
import { createGate, gateTransport } from "@toolcontract/mcp";
import manifest from "../../package.json" with { type: "json" };
import { ChildTransport } from "./child-transport.ts";

/** What a server is opened with. */
export interface ServerParts {
  /** The options of its gate's contract. */
  readonly options: ContractOptions;
  /** Where child processes start. */
  readonly cwd: string;
  /** The headers of a server over HTTP, expanded. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One MCP server. */
export interface Server {
  readonly name: string;
  readonly config: McpServerConfig;
  readonly client: Client;
  /** Its process, if it is one. */
  readonly child: ChildTransport | undefined;
  /** Starts it, behind the gate, and connects to it. */
  open(signal: AbortSignal): Promise<void>;
  /** Ends it; resolves when nothing of it is left. */
  close(): Promise<void>;
}

/** How long a server over HTTP has to end its session. */
const GOODBYE_MS = 2_000;

/** Prepares a server; nothing is started yet. */
export function createServer(name: string, config: McpServerConfig, parts: ServerParts): Server {
  const { options, cwd, headers } = parts;
  const client = new Client({ name: manifest.name, version: manifest.version });
  const child = "command" in config ? new ChildTransport(config, cwd) : undefined;
  const transport = child ?? httpTransport(config as HttpServerConfig, headers);
  return {
    name,
    config,
    client,
    child,
    async open(signal) {
      const gate = createGate({ ...options, logger: false });
      await client.connect(gateTransport(transport, gate), { signal });
    },
    async close() {
      if ("terminateSession" in transport) {
        const ended = transport.terminateSession().catch(() => undefined);
        await Promise.race([ended, sleep(GOODBYE_MS)]);
      }
      await transport.close();
    },
  };
}

function httpTransport(
  { url }: HttpServerConfig,
  headers: ServerParts["headers"],
): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
}
