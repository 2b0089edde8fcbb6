import Anthropic from "@anthropic-ai/sdk";
import { createSdkMcpServer, tool } from "@anthropic-ai/claude-agent-sdk";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { withContract } from "@toolcontract/mcp";
import type { Graded, Kit } from "@toolcontract/graded/kit";
import { z } from "zod";

/** The SDK's server of tools behind a client, as its own process connects it. */
export const bare: Graded = async (kit) => ask(kit, serverOf(kit).instance);

export const contract: Graded = async (kit) => {
  const server = serverOf(kit);
  withContract(server.instance, { logger: false, coalesceMs: 0 });
  await ask(kit, server.instance);
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

async function ask({ baseUrl, prompt }: Kit, server: McpServer): Promise<void> {
  const client = new Client({ name: "host", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  const { tools } = await client.listTools();
  const anthropic = new Anthropic({ baseURL: baseUrl.replace(/\/v1$/, ""), apiKey: "none" });
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: prompt }];
  for (let turn = 0; turn < 20; turn += 1) {
    const { content } = await anthropic.messages.create({
      model: "scripted",
      max_tokens: 1_000,
      messages,
      tools: tools.map(({ name, inputSchema }) => {
        return { name, input_schema: inputSchema as Anthropic.Tool.InputSchema };
      }),
    });
    const calls = content.filter((block) => block.type === "tool_use");
    if (calls.length === 0) break;
    const results: Anthropic.ToolResultBlockParam[] = [];
    for (const { id, name, input } of calls) {
      const answer = await client.callTool({ name, arguments: input as Record<string, unknown> });
      const blocks = answer.content as Anthropic.TextBlockParam[];
      const is_error = answer.isError === true;
      results.push({ type: "tool_result", tool_use_id: id, content: blocks, is_error });
    }
    messages.push({ role: "assistant", content }, { role: "user", content: results });
  }
  await client.close();
}
