import { Client } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as TransportV1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as ServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { fromJsonSchema, InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import type { CorpusTool } from "../../corpus.ts";
import { zodOfTool } from "../../zod-of-tool.ts";
import { readAjv } from "../reading/read-ajv.ts";
import { readMcpV1, readMcpV2 } from "../reading/read-zod-lines.ts";
import { type MakeCall, type Outcome, recordRuns, type SchemaKind, type System } from "./system.ts";

const NAME = { name: "bench", version: "0.0.0" };

/** A server of the first SDK; it takes zod only. */
export function mcpV1(adopt: (server: ServerV1) => void = () => undefined): System {
  const open: (() => Promise<void>)[] = [];
  return {
    name: "MCP SDK v1 McpServer",
    schema: "zod",
    packages: ["@modelcontextprotocol/sdk"],
    read: readMcpV1,
    readsText: false,
    close: async () => closeAll(open),
    offer: async (tool) => {
      const { runs, run } = recordRuns();
      const server = new ServerV1(NAME);
      const inputSchema = zodOfTool(tool) as never;
      server.registerTool(tool.name, { inputSchema }, (async (args: unknown) =>
        textResult(run(args))) as never);
      adopt(server);
      const client = new ClientV1(NAME);
      const [clientSide, serverSide] = TransportV1.createLinkedPair();
      await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
      open.push(async () => client.close());
      return callThrough(runs, async (args) =>
        client.callTool({ name: tool.name, arguments: args }),
      );
    },
  };
}

/** A server of the second SDK. */
export function mcpV2(
  schema: SchemaKind,
  adopt: (server: McpServer) => void = () => undefined,
): System {
  const open: (() => Promise<void>)[] = [];
  return {
    name: "MCP SDK v2 McpServer",
    schema,
    packages: ["@modelcontextprotocol/server", "@modelcontextprotocol/client"],
    read: schema === "zod" ? readMcpV2 : readAjv,
    readsText: false,
    close: async () => closeAll(open),
    offer: async (tool) => {
      const { runs, run } = recordRuns();
      const server = new McpServer(NAME);
      server.registerTool(tool.name, { inputSchema: schemaOf(tool, schema) as never }, (async (
        args: unknown,
      ) => textResult(run(args))) as never);
      adopt(server);
      const client = new Client(NAME);
      const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
      await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
      open.push(async () => client.close());
      return callThrough(runs, async (args) =>
        client.callTool({ name: tool.name, arguments: args }),
      );
    },
  };
}

function schemaOf(tool: CorpusTool, kind: SchemaKind): unknown {
  return (
    (kind === "zod" ? zodOfTool(tool) : undefined) ?? fromJsonSchema(tool.inputSchema as never)
  );
}

function textResult(text: string): { content: { type: "text"; text: string }[] } {
  return { content: [{ type: "text", text }] };
}

function callThrough(
  runs: unknown[],
  call: (args: Record<string, unknown>) => Promise<unknown>,
): MakeCall {
  return async (text): Promise<Outcome> => {
    runs.length = 0;
    const args = JSON.parse(text) as Record<string, unknown>;
    try {
      const { content } = (await call(args)) as { content: readonly { readonly text?: string }[] };
      if (runs.length > 0) return { status: "ran", args: runs[0] };
      return { status: "answered", text: content.map((part) => part.text ?? "").join("\n") };
    } catch (thrown) {
      // A host hands the protocol's error on as its message.
      return { status: "answered", text: (thrown as Error).message };
    }
  };
}

async function closeAll(open: (() => Promise<void>)[]): Promise<void> {
  await Promise.all(open.splice(0).map(async (close) => close()));
}
