import Anthropic from "@anthropic-ai/sdk";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Kit } from "./kit.ts";

/** A server of tools, of whichever SDK. */
interface Server {
  connect(transport: InMemoryTransport): Promise<unknown>;
}

/** Asks Anthropic's model, and makes its calls at a server through the client of the MCP SDK. */
export async function askThroughClient({ baseUrl, prompt }: Kit, server: Server): Promise<void> {
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
