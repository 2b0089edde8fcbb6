import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as TransportV1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as ServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { offerThrough, type RunTool } from "@toolcontract/frameworks";
import {
  answerOfServer,
  connectInMemory,
  type McpClient,
  mcpServer,
} from "@toolcontract/frameworks/mcp";
import { withContract } from "@toolcontract/mcp";
import type { CorpusTool } from "../../corpus.ts";
import { zodOfTool } from "../../zod-of-tool.ts";
import { readAjv, readContract, readMcpV1, readMcpV2 } from "../reading/readers.ts";
import { MESSAGES, declared, type SchemaKind, type System } from "./system.ts";

const NAME = { name: "bench", version: "0.0.0" };

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
    server.registerTool(tool.name, { inputSchema: zodOfTool(tool) as never }, (async (
      args: unknown,
    ) => ({ content: [{ type: "text", text: run(args) }] })) as never);
    if (hasContract) withContract(server, MESSAGES);
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
    const server = mcpServer(declared(tool, schema), run);
    if (hasContract) withContract(server as never, MESSAGES);
    return connectInMemory(server);
  });
}

/** A system whose tools are served by a server in the same process, one for each tool. */
function inMemory(
  own: Pick<System, "name" | "schema" | "packages" | "read">,
  hasContract: boolean,
  connect: (tool: CorpusTool, run: RunTool) => Promise<McpClient>,
): System {
  const clients: McpClient[] = [];
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
        const client = await connect(tool, run);
        clients.push(client);
        return async (text) => answerOfServer(client, { tool, text });
      }),
  };
}
