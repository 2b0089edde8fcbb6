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
  /** The variables of a server that is a child process, expanded. */
  readonly env: Readonly<Record<string, string>>;
  /** Called with what is said of a server that has died. */
  readonly onRestart: (line: string) => void;
}

/** One MCP server. */
export interface Server {
  readonly name: string;
  readonly config: McpServerConfig;
  /** How long it has to start, in milliseconds. */
  readonly startTimeout: number;
  /** The connection that it has now. */
  readonly client: Client;
  /** Its process, if it is one. */
  readonly child: ChildTransport | undefined;
  /** Whether it died and was started again. */
  readonly wasRestarted: boolean;
  /** Starts it, behind the gate, and connects to it. */
  open(signal: AbortSignal): Promise<void>;
  /** Starts it again if it has died, once; what was asked of it before is never sent again. */
  revive(): Promise<void>;
  /** Ends it; resolves when nothing of it is left. */
  close(): Promise<void>;
}

/** How long a server over HTTP has to end its session. */
const GOODBYE_MS = 2_000;

/** How long a server has to start, and then to answer `initialize`. */
const START_MS = 30_000;

interface Connection {
  readonly client: Client;
  readonly child: ChildTransport | undefined;
  readonly transport: ChildTransport | StreamableHTTPClientTransport;
}

/** Prepares a server; nothing is started yet. */
export function createServer(name: string, config: McpServerConfig, parts: ServerParts): Server {
  const { options, cwd, headers, env, onRestart } = parts;
  const { startTimeout = START_MS } = config;
  let current = connectionOf();
  let reviving: Promise<void> | undefined;
  let isClosed = false;

  function connectionOf(): Connection {
    const client = new Client({ name: manifest.name, version: manifest.version });
    const child = "command" in config ? new ChildTransport(config, cwd, env) : undefined;
    return {
      client,
      child,
      transport: child ?? httpTransport(config as HttpServerConfig, headers),
    };
  }

  async function connect({ client, transport }: Connection, signal?: AbortSignal): Promise<void> {
    const { mode, ...contractOptions } = options;
    const gate = createGate({
      ...contractOptions,
      mode: mode === "observe" ? "audit" : "enforce",
      logger: false,
    });
    await client.connect(gateTransport(transport, gate), {
      timeout: startTimeout,
      ...(signal && { signal }),
    });
  }

  async function restart(end: string): Promise<void> {
    const next = connectionOf();
    try {
      await connect(next);
      if (isClosed) await next.transport.close();
      current = next;
      onRestart(`MCP server "${name}" ${end}; it was started again`);
    } catch (thrown) {
      await next.transport.close();
      onRestart(`MCP server "${name}" ${end}, and could not be started again: its tools are lost`);
      throw thrown;
    }
  }

  return {
    name,
    config,
    startTimeout,
    get client() {
      return current.client;
    },
    get child() {
      return current.child;
    },
    get wasRestarted() {
      return reviving !== undefined;
    },
    open: async (signal) => connect(current, signal),
    async revive() {
      const end = current.child?.end;
      if (end === undefined || isClosed) return;
      reviving ??= restart(end);
      // Why it did not start is not news to each call: that one fails as one of a server that has died.
      await reviving.catch(() => undefined);
    },
    async close() {
      isClosed = true;
      const { transport } = current;
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
