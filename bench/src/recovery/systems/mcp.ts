import { Client } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as TransportV1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as ServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { fromJsonSchema, InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { withContract } from "@toolcontract/mcp";
import type { CorpusTool } from "../../corpus.ts";
import { zodOfTool } from "../../zod-of-tool.ts";
import { readAjv, readContract, readMcpV1, readMcpV2 } from "../reading/readers.ts";
import { offerThrough, type SchemaKind, type System } from "./system.ts";

const NAME = { name: "bench", version: "0.0.0" };
const QUIET = { logger: () => undefined } as const;

/** A server of SDK v1, which takes zod only. */
export function mcpV1(hasContract = false): System {
  const own = {
    name: "MCP SDK v1",
    schema: "zod",
    packages: ["@modelcontextprotocol/sdk"],
    read: readMcpV1,
  } as const;
  return inMemory(own, hasContract, async (tool, run) => {
    const server = new ServerV1(NAME);
    server.registerTool(tool.name, { inputSchema: zodOfTool(tool) as never }, run as never);
    if (hasContract) withContract(server, QUIET);
    const client = new ClientV1(NAME);
    const [clientSide, serverSide] = TransportV1.createLinkedPair();
    await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
    return client;
  });
}

/** A server of SDK v2. */
export function mcpV2(schema: SchemaKind, hasContract = false): System {
  const own = {
    name: "MCP SDK v2",
    schema,
    packages: ["@modelcontextprotocol/server", "@modelcontextprotocol/client"],
    read: schema === "zod" ? readMcpV2 : readAjv,
  };
  return inMemory(own, hasContract, async (tool, run) => {
    const zod = schema === "zod" ? zodOfTool(tool) : undefined;
    const inputSchema = zod ?? fromJsonSchema(tool.inputSchema as never);
    const server = new McpServer(NAME);
    server.registerTool(tool.name, { inputSchema: inputSchema as never }, run as never);
    if (hasContract) withContract(server as never, QUIET);
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

/** A system whose tools are served by a server in the same process, one for each tool. */
function inMemory(
  own: Pick<System, "name" | "schema" | "packages" | "read">,
  hasContract: boolean,
  connect: (tool: CorpusTool, run: (args: unknown) => Promise<object>) => Promise<AnyClient>,
): System {
  const clients: AnyClient[] = [];
  return {
    ...own,
    name: hasContract ? `Toolcontract standard, ${own.name}` : `${own.name} McpServer`,
    packages: [...(hasContract ? ["@toolcontract/mcp"] : []), ...own.packages],
    read: hasContract ? readContract : own.read,
    readsText: false,
    close: async () => {
      await Promise.all(clients.splice(0).map(async (client) => client.close()));
    },
    offer: (tool) =>
      offerThrough(async (run) => {
        const client = await connect(tool, async (args) => ({
          content: [{ type: "text", text: run(args) }],
        }));
        clients.push(client);
        return async (text) => {
          const args = JSON.parse(text) as Record<string, unknown>;
          try {
            const { content } = (await client.callTool({ name: tool.name, arguments: args })) as {
              readonly content: readonly { readonly text?: string }[];
            };
            return content.map((part) => part.text ?? "").join("\n");
          } catch (thrown) {
            // A host passes on the message of a protocol error.
            return (thrown as Error).message;
          }
        };
      }),
  };
}
