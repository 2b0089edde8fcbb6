import { fileURLToPath } from "node:url";
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";
import type { Folder } from "../workspace.ts";
import type { Toolbox } from "./toolbox.ts";

const SERVER = import.meta.resolve("@modelcontextprotocol/server-filesystem/dist/index.js");

/** Starts the official filesystem server and gets its tools from the SDK's own MCP client. */
export async function openMcpToolbox({ path }: Folder): Promise<Toolbox> {
  const transport = new StdioTransport({
    command: process.execPath,
    args: [fileURLToPath(SERVER), path],
    cwd: path,
    stderr: "ignore",
  });
  const reached: unknown[] = [];
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    if ("method" in message && message.method === "tools/call") reached.push(message.params);
    await send(message);
  };
  const client = await createMCPClient({ transport });
  try {
    return { tools: await client.tools(), reached, close: () => client.close() };
  } catch (error) {
    await client.close();
    throw error;
  }
}
