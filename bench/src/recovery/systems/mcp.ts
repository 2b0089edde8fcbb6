import { Client } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as TransportV1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as ServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { fromJsonSchema, InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { withContract } from "@toolcontract/mcp";
import type { CorpusTool } from "../../corpus.ts";
import { zodOfTool } from "../../zod-of-tool.ts";
import { readAjv, readContract, readMcpV1, readMcpV2 } from "../reading/readers.ts";
import { type MakeCall, recordRuns, type SchemaKind, type System } from "./system.ts";

const NAME = { name: "bench", version: "0.0.0" };
const QUIET = { logger: () => undefined } as const;

/** A server of SDK v1, which takes zod only. */
export function mcpV1(): System {
  return serverV1(() => undefined);
}

/** A server of SDK v1 with the contract. */
export function mcpV1WithContract(): System {
  const system = serverV1((server) => withContract(server, QUIET));
  return withOwnMessages(system, "Toolcontract standard, MCP SDK v1");
}

/** A server of SDK v2. */
export function mcpV2(schema: SchemaKind): System {
  return serverV2(schema, () => undefined);
}

/** A server of SDK v2 with the contract. */
export function mcpV2WithContract(schema: SchemaKind): System {
  const system = serverV2(schema, (server) => withContract(server as never, QUIET));
  return withOwnMessages(system, "Toolcontract standard, MCP SDK v2");
}

function withOwnMessages(system: System, name: string): System {
  const packages = ["@toolcontract/mcp", ...system.packages];
  return { ...system, name, packages, read: readContract };
}

function serverV1(adopt: (server: ServerV1) => void): System {
  const own = {
    name: "MCP SDK v1 McpServer",
    schema: "zod",
    packages: ["@modelcontextprotocol/sdk"],
    read: readMcpV1,
  } as const;
  return inMemory(own, async (tool, run) => {
    const server = new ServerV1(NAME);
    server.registerTool(tool.name, { inputSchema: zodOfTool(tool) as never }, run as never);
    adopt(server);
    const client = new ClientV1(NAME);
    const [clientSide, serverSide] = TransportV1.createLinkedPair();
    await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
    return client;
  });
}

function serverV2(schema: SchemaKind, adopt: (server: McpServer) => void): System {
  const own = {
    name: "MCP SDK v2 McpServer",
    schema,
    packages: ["@modelcontextprotocol/server", "@modelcontextprotocol/client"],
    read: schema === "zod" ? readMcpV2 : readAjv,
  };
  return inMemory(own, async (tool, run) => {
    const zod = schema === "zod" ? zodOfTool(tool) : undefined;
    const inputSchema = zod ?? fromJsonSchema(tool.inputSchema as never);
    const server = new McpServer(NAME);
    server.registerTool(tool.name, { inputSchema: inputSchema as never }, run as never);
    adopt(server);
    const client = new Client(NAME);
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
    return client;
  });
}

interface AnyClient {
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<object>;
  close(): Promise<void>;
}

type RunTool = (args: unknown) => Promise<object>;

/** A system whose tools are served by a server in the same process, one for each tool. */
function inMemory(
  own: Pick<System, "name" | "schema" | "packages" | "read">,
  connect: (tool: CorpusTool, run: RunTool) => Promise<AnyClient>,
): System {
  const clients: AnyClient[] = [];
  return {
    ...own,
    readsText: false,
    close: async () => {
      await Promise.all(clients.splice(0).map(async (client) => client.close()));
    },
    offer: async (tool) => {
      const { runs, run } = recordRuns();
      const client = await connect(tool, async (args) => ({
        content: [{ type: "text", text: run(args) }],
      }));
      clients.push(client);
      return callThrough(client, tool.name, runs);
    },
  };
}

function callThrough(client: AnyClient, name: string, runs: unknown[]): MakeCall {
  return async (text) => {
    runs.length = 0;
    const args = JSON.parse(text) as Record<string, unknown>;
    try {
      const { content } = (await client.callTool({ name, arguments: args })) as {
        readonly content: readonly { readonly text?: string }[];
      };
      if (runs.length > 0) return { status: "ran", args: runs[0] };
      return { status: "answered", text: content.map((part) => part.text ?? "").join("\n") };
    } catch (thrown) {
      // A host passes on the message of a protocol error.
      return { status: "answered", text: (thrown as Error).message };
    }
  };
}
