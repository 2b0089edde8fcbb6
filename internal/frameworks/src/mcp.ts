import { Client } from "@modelcontextprotocol/client";
import { fromJsonSchema, InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { type DeclaredTool, isZod, type ModelCall, type RunTool } from "./offer.ts";

const NAME = { name: "in-memory", version: "0.0.0" };

/** A client of a server; the part that all versions of the SDK share. */
export interface McpClient {
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<object>;
  close(): Promise<void>;
}

/** Creates a server with one tool. */
export function mcpServer({ name, schema }: DeclaredTool, run: RunTool): McpServer {
  const server = new McpServer(NAME);
  const inputSchema = isZod(schema) ? schema : fromJsonSchema(schema as never);
  server.registerTool(name, { inputSchema: inputSchema as never }, (async (args: unknown) => ({
    content: [{ type: "text", text: run(args) }],
  })) as never);
  return server;
}

/** Connects a client in the same process. */
export async function connectInMemory(server: McpServer): Promise<McpClient> {
  const client = new Client(NAME);
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  return client;
}

/** Makes a call; returns what the model reads. Throws for arguments that are not JSON: a host parses them. */
export async function answerOfServer(
  client: McpClient,
  { tool: { name }, text }: ModelCall,
): Promise<string> {
  const args = JSON.parse(text) as Record<string, unknown>;
  try {
    const { content } = (await client.callTool({ name, arguments: args })) as {
      readonly content: readonly { readonly text?: string }[];
    };
    return content.map((part) => part.text ?? "").join("\n");
  } catch (thrown) {
    // A host passes on the message of a protocol error.
    return (thrown as Error).message;
  }
}
