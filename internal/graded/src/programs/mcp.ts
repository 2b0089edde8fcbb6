import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { withContract } from "@toolcontract/mcp";
import { z } from "zod";
import { askThroughClient } from "../ask-through-client.ts";
import type { Graded, Kit } from "../kit.ts";

/** An McpServer behind a client that sends on what the model says. */
export const bare: Graded = async (kit) => askThroughClient(kit, serverOf(kit));

/** The scripted model answers at once, as no model does, and calls that come at once are counted as one message's. */
export const contract: Graded = async (kit) =>
  askThroughClient(kit, withContract(serverOf(kit), { logger: false, coalesceMs: 0 }));

function serverOf({ tools, run }: Kit): McpServer {
  const server = new McpServer({ name: "graded", version: "1.0.0" });
  for (const { name, description, parameters } of tools) {
    const inputSchema = z.fromJSONSchema(parameters) as z.ZodObject;
    server.registerTool(name, { description, inputSchema }, async (input: unknown) => ({
      content: [{ type: "text", text: await run(name, input) }],
    }));
  }
  return server;
}
