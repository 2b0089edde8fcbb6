import { createSdkMcpServer, tool } from "@anthropic-ai/claude-agent-sdk";
import { withContract } from "@toolcontract/mcp";
import { askThroughClient } from "@toolcontract/graded/ask-through-client";
import type { Graded, Kit } from "@toolcontract/graded/kit";
import { z } from "zod";

/** The SDK's server of tools behind a client, as its own process connects it. */
export const bare: Graded = async (kit) => askThroughClient(kit, serverOf(kit).instance);

export const contract: Graded = async (kit) => {
  const server = serverOf(kit);
  withContract(server.instance, { logger: false, coalesceMs: 0 });
  await askThroughClient(kit, server.instance);
};

function serverOf({ tools, run }: Kit): ReturnType<typeof createSdkMcpServer> {
  return createSdkMcpServer({
    name: "graded",
    tools: tools.map(({ name, description, parameters }) => {
      const { shape } = z.fromJSONSchema(parameters) as z.ZodObject;
      return tool(name, description, shape, async (input) => ({
        content: [{ type: "text", text: await run(name, input) }],
      }));
    }),
  });
}
