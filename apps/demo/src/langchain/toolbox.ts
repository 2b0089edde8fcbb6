import { fileURLToPath } from "node:url";
import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import type { Shop } from "../shop/shop.ts";
import type { Folder } from "../workspace.ts";
import type { AgentScenario, PlainTool } from "./agent-scenario.ts";

const SERVER = import.meta.resolve("@modelcontextprotocol/server-filesystem/dist/index.js");

/** The tools of one run, and the arguments that came through to them. */
export interface Toolbox {
  readonly tools: StructuredToolInterface[];
  readonly reached: readonly unknown[];
  close?(): Promise<void>;
}

/** Makes the tools of one run. */
export async function openToolbox(
  tools: AgentScenario["tools"],
  folder: Folder,
  shop: Shop | undefined,
): Promise<Toolbox> {
  if (tools === "filesystem server") return openMcpToolbox(folder);
  if (typeof tools === "function") {
    if (!shop) throw new Error("The scenario has the tools of a shop, and no shop.");
    return openToolbox(tools(shop), folder, shop);
  }
  const reached: unknown[] = [];
  return { tools: tools.map((plain) => toTool(plain, reached)), reached };
}

function toTool(
  { run, name, description, schema }: PlainTool,
  reached: unknown[],
): StructuredToolInterface {
  const call = (input: unknown): string => {
    reached.push(input);
    return run(input as never);
  };
  // The overloads know each kind of schema alone.
  return tool(call, { name, description, schema: schema as object }) as StructuredToolInterface;
}

/** Starts the official filesystem server and takes its tools as LangChain's own MCP client makes them. */
async function openMcpToolbox({ path }: Folder): Promise<Toolbox> {
  const reached: unknown[] = [];
  const client = new MultiServerMCPClient({
    mcpServers: {
      files: {
        transport: "stdio",
        command: process.execPath,
        args: [fileURLToPath(SERVER), path],
        cwd: path,
        stderr: "ignore",
      },
    },
    beforeToolCall: ({ args }) => void reached.push(args),
  });
  const close = async (): Promise<void> => client.close();
  try {
    return { tools: await client.getTools(), reached, close };
  } catch (error) {
    await close();
    throw error;
  }
}
