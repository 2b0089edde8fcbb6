import { createRequire } from "node:module";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const TIMEOUT = 60_000;
const require = createRequire(import.meta.url);
const SERVER = require.resolve("@notionhq/notion-mcp-server/bin/cli.mjs");

/** Starts the installed server of Notion and returns its tool with the longest schema. */
export async function largestNotionTool() {
  const client = new Client({ name: "toolcontract-site", version: "0.0.0" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [SERVER],
    stderr: "ignore",
  });
  try {
    await client.connect(transport, { timeout: TIMEOUT });
    const { tools } = await client.listTools(undefined, { timeout: TIMEOUT });
    const [largest] = tools
      .map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
      .toSorted((a, b) => sizeOf(b.inputSchema) - sizeOf(a.inputSchema));
    return largest;
  } finally {
    await client.close();
  }
}

function sizeOf(schema: object): number {
  return JSON.stringify(schema).length;
}
