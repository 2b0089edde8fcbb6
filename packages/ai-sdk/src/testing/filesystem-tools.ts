import { fileURLToPath } from "node:url";
import type { ToolSet } from "ai";
import type { Sdk } from "./sdk.ts";

const SERVER = import.meta.resolve("@modelcontextprotocol/server-filesystem/dist/index.js");

/** The tools of a real MCP server. */
export interface FilesystemTools {
  readonly tools: ToolSet;
  close(): Promise<void>;
}

/** Starts the official filesystem server on a folder, and lists its tools with the MCP client of an SDK version. */
export async function openFilesystemTools(
  version: Sdk["version"],
  folder: string,
): Promise<FilesystemTools> {
  const { createClient, StdioTransport } = await importClient(version);
  const transport = new StdioTransport({
    command: process.execPath,
    args: [fileURLToPath(SERVER), folder],
    cwd: folder,
    stderr: "ignore",
  });
  const client = await createClient({ transport });
  return { tools: (await client.tools()) as ToolSet, close: async () => client.close() };
}

interface ClientModule {
  readonly createClient: (config: { readonly transport: object }) => Promise<{
    tools(): Promise<unknown>;
    close(): Promise<void>;
  }>;
  readonly StdioTransport: new (config: object) => object;
}

async function importClient(version: Sdk["version"]): Promise<ClientModule> {
  const [client, stdio] = await CLIENTS[version]();
  const { Experimental_StdioMCPTransport: StdioTransport } = stdio;
  const createClient =
    "createMCPClient" in client ? client.createMCPClient : client.experimental_createMCPClient;
  return { createClient, StdioTransport } as unknown as ClientModule;
}

const CLIENTS = {
  7: async () => Promise.all([import("@ai-sdk/mcp"), import("@ai-sdk/mcp/mcp-stdio")]),
  6: async () => Promise.all([import("mcp-for-ai6"), import("mcp-for-ai6/mcp-stdio")]),
  5: async () => Promise.all([import("mcp-for-ai5"), import("mcp-for-ai5/mcp-stdio")]),
} as const;
