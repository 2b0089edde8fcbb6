import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { JsonSchema } from "@toolcontract/core";
import { compileBare } from "./bare-ajv.ts";
import { corpusCall, type Corpus, type CorpusCall, type CorpusTool } from "./corpus.ts";
import { sampleValue } from "./sample-value.ts";

const TIMEOUT = 20_000;
const require = createRequire(import.meta.url);
const SERVERS: readonly (readonly [script: string, ...args: string[]])[] = [
  [require.resolve("@modelcontextprotocol/server-everything/dist/index.js"), "stdio"],
  [require.resolve("@modelcontextprotocol/server-filesystem/dist/index.js"), tmpdir()],
  [require.resolve("@modelcontextprotocol/server-memory/dist/index.js")],
  [require.resolve("@modelcontextprotocol/server-sequential-thinking/dist/index.js")],
  [require.resolve("@notionhq/notion-mcp-server/bin/cli.mjs")],
];

/** Lists the tools of the installed MCP servers and makes valid calls of them. */
export async function readMcpCorpus(): Promise<Corpus> {
  const lists = await Promise.all(SERVERS.map(listTools));
  return { name: "mcp", calls: lists.flat().flatMap(sampleCalls) };
}

async function listTools([script, ...args]: (typeof SERVERS)[number]): Promise<
  readonly CorpusTool[]
> {
  const client = new Client({ name: "toolcontract-bench", version: "0.0.0" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [script, ...args],
    stderr: "ignore",
  });
  try {
    await client.connect(transport, { timeout: TIMEOUT });
    const { tools } = await client.listTools(undefined, { timeout: TIMEOUT });
    return tools.map(({ name, inputSchema }) => ({ name, inputSchema: inputSchema as JsonSchema }));
  } finally {
    await client.close();
  }
}

/** One call with the required fields and one with all; those that the schema refuses are left out. */
function sampleCalls(tool: CorpusTool): readonly CorpusCall[] {
  const accepts = compileBare(tool);
  const samples = new Map<string, CorpusCall>();
  for (const size of ["required", "all"] as const) {
    const args = sampleValue(tool.inputSchema, size) as Readonly<Record<string, unknown>>;
    const call = corpusCall(tool, args);
    if (accepts(args)) samples.set(call.text, call);
  }
  return [...samples.values()];
}
