import type { Tool } from "@modelcontextprotocol/client";
import type { ToolSet } from "ai";
import { mcpTool } from "./mcp-tool.ts";
import type { Server } from "./open-server.ts";
import { nameTools } from "./tool-names.ts";

/** A server that has started, and its tools. */
export interface ToolsOfServer {
  readonly server: Server;
  readonly tools: readonly Tool[];
}

/** The limits of single servers, by tool. */
interface ServerLimits {
  toolTimeout(tool: string): number | undefined;
  toolResponseMaxBytes(tool: string): number | undefined;
  readonly queueOf: Readonly<Record<string, string>>;
}

/** The tools of all servers together. */
export interface CombinedTools {
  /** The tools of the AI SDK, by unique names. */
  readonly tools: ToolSet;
  /** The server of a tool. */
  readonly serverOf: (tool: string) => string | undefined;
  /** What the configuration says of single servers. */
  readonly limits: ServerLimits;
  /** How many tools each server has. */
  readonly count: Readonly<Record<string, number>>;
}

/** Makes one set of the tools of all servers. */
export function combineTools(opened: readonly ToolsOfServer[]): CombinedTools {
  const named = nameTools(
    opened.flatMap(({ server, tools }) =>
      tools.map((tool) => ({ server: server.name, tool: tool.name, of: server, definition: tool })),
    ),
  );
  const entries = [...named];
  const configOf = (tool: string) => named.get(tool)?.of.config;
  return {
    tools: Object.fromEntries(
      entries.map(([name, { definition, of }]) => [name, mcpTool(definition, of)]),
    ),
    serverOf: (tool) => named.get(tool)?.server,
    limits: {
      toolTimeout: (tool) => configOf(tool)?.toolTimeout,
      toolResponseMaxBytes: (tool) => configOf(tool)?.toolResponseMaxBytes,
      queueOf: Object.fromEntries(
        entries.flatMap(([name, { of }]) =>
          of.config.queue === undefined ? [] : [[name, of.config.queue]],
        ),
      ),
    },
    count: Object.fromEntries(opened.map(({ server, tools }) => [server.name, tools.length])),
  };
}
