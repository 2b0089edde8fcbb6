import { isJson } from "@toolcontract/core/adapter";
import { isZod } from "@toolcontract/frameworks";
import { answerOfServer, connectInMemory, mcpServer } from "@toolcontract/frameworks/mcp";
// The package does not export its manifest.
import manifest from "../../../node_modules/@modelcontextprotocol/server/package.json" with { type: "json" };
import type { Peer } from "./peer.ts";

/** `McpServer` of the MCP SDK, called by its client in memory. */
export const mcp: Peer = {
  package: manifest.name,
  version: manifest.version,
  host: (tool, run) => {
    const server = mcpServer(tool, run);
    return async (text) => {
      const client = await connectInMemory(server);
      try {
        return await answerOfServer(client, { tool, text });
      } finally {
        await client.close();
      }
    };
  },
  unseen: (text) =>
    isJson(text)
      ? undefined
      : "A server gets parsed arguments: what happens to any others is up to its host.",
  note: ({ schema }, { status }) =>
    isZod(schema) || status !== "answered"
      ? undefined
      : "In a browser the SDK validates with @cfworker/json-schema; in Node with ajv, which words faults differently.",
};
