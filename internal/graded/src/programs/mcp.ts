import Anthropic from "@anthropic-ai/sdk";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { withContract } from "@toolcontract/mcp";
import { z } from "zod";
import type { Graded, Kit } from "../kit.ts";

/** An McpServer behind a client that sends on what the model says. */
export const bare: Graded = async (kit) => ask(kit, serverOf(kit));

/** The scripted model answers at once, as no model does, and calls that come at once are counted as one message's. */
export const contract: Graded = async (kit) =>
  ask(kit, withContract(serverOf(kit), { logger: false, coalesceMs: 0 }));

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
    for (const { id, name, input } of calls) results.push(await resultOf(client, id, name, input));
    messages.push({ role: "assistant", content }, { role: "user", content: results });
  }
  await client.close();
}

async function resultOf(
  client: Client,
  id: string,
  name: string,
  input: unknown,
): Promise<Anthropic.ToolResultBlockParam> {
  const call = { name, arguments: input as Record<string, unknown> };
  const { content, isError } = await client.callTool(call);
  const blocks = content as Anthropic.TextBlockParam[];
  return { type: "tool_result", tool_use_id: id, content: blocks, is_error: isError === true };
}
