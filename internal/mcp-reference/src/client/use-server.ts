import type { Json } from "../surface/tool.ts";
import { sampleOf } from "./sample.ts";

/** A client of either SDK line, as far as it is used here. */
export interface AnyClient {
  getServerCapabilities(): Json | undefined;
  listTools(): Promise<{ readonly tools: readonly ListedTool[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  listResources(): Promise<{ readonly resources: readonly { readonly uri: string }[] }>;
  readResource(resource: { uri: string }): Promise<unknown>;
  listPrompts(): Promise<{ readonly prompts: readonly { readonly name: string }[] }>;
  getPrompt(prompt: { name: string }): Promise<unknown>;
}

/** A tool as listed by a server. */
interface ListedTool {
  readonly name: string;
  readonly inputSchema: Json;
}

/** A call that a scenario requires. */
export interface WantedCall {
  readonly name: string;
  readonly arguments: Json;
}

/** Uses a server like a host: lists everything, calls every tool, and reads every resource and prompt, once each. */
export async function useServer(client: AnyClient, wanted?: readonly WantedCall[]): Promise<void> {
  const { tools } = await client.listTools();
  for (const call of wanted ?? tools.map((tool) => sampleCall(tool, tools))) {
    await attempt(client.callTool({ name: call.name, arguments: { ...call.arguments } }));
  }
  const capabilities = client.getServerCapabilities() ?? {};
  if (capabilities["resources"]) {
    const { resources } = await client.listResources();
    for (const { uri } of resources) await attempt(client.readResource({ uri }));
  }
  if (capabilities["prompts"]) {
    const { prompts } = await client.listPrompts();
    for (const { name } of prompts) await attempt(client.getPrompt({ name }));
  }
}

/** Logs a rejection and continues: a server may reject a sample. */
async function attempt(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (thrown) {
    process.stderr.write(`${String(thrown)}\n`);
  }
}

function sampleCall(tool: ListedTool, all: readonly ListedTool[]): WantedCall {
  // A tool that takes a schema gets one from the list.
  const rich = all.find(({ inputSchema }) => "$defs" in inputSchema)?.inputSchema;
  const args = sampleOf(tool.inputSchema) as Json;
  return { name: tool.name, arguments: "schema" in args ? { ...args, schema: rich } : args };
}
