import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { JsonSchema, ToolDefinition } from "@toolcontract/core";

const TIMEOUT = 10_000;

/** A running MCP server and the tools that it lists to the official client. */
export interface McpServer {
  readonly tools: readonly ToolDefinition[];
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<CallToolResult>;
  close(): Promise<void>;
}

/** Starts a server, a Node script with arguments, as a child process in a folder. */
export async function startMcpServer(args: readonly string[], folder: string): Promise<McpServer> {
  const client = new Client({ name: "toolcontract-demo", version: "0.0.0" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    cwd: folder,
    stderr: "ignore",
  });
  try {
    await client.connect(transport, { timeout: TIMEOUT });
    const { tools } = await client.listTools(undefined, { timeout: TIMEOUT });
    return {
      tools: tools.map(({ name, description = "", inputSchema }) => ({
        name,
        description,
        inputSchema: inputSchema as JsonSchema,
      })),
      async call(name, given) {
        const request = { name, arguments: given };
        const result = await client.callTool(request, undefined, { timeout: TIMEOUT });
        return result as CallToolResult;
      },
      close: () => client.close(),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** The text of a tool's result. */
export function resultText({ content }: CallToolResult): string {
  return content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
}
