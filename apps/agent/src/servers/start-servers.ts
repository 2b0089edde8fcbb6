import type { AgentConfig } from "../settings/index.ts";
import { RunError } from "@toolcontract/session";
import { checkSchemas } from "./check-schemas.ts";
import { type CombinedTools, combineTools, type ToolsOfServer } from "./combine-tools.ts";
import { listTools, UnreadableTools } from "./list-tools.ts";
import { createServer, type Server } from "./open-server.ts";
import { unusableSchemas, whyNotStarted } from "./why-not-started.ts";

/** What the configuration says of servers. */
export type ServersConfig = Pick<AgentConfig, "mcpServers" | "options" | "headersOf">;

/** What is heard of the servers while they start, and what ends that. */
export interface StartParts {
  readonly signal: AbortSignal;
  /** Where child processes start. */
  readonly cwd: string;
  readonly onState?: (server: string, state: "starting" | "ready" | "failed") => void;
  readonly warn: (line: string) => void;
}

/** The servers of a run, and the tools that they have together. */
export interface Servers extends CombinedTools {
  /** Ends all of them, and what they have started. */
  close(): Promise<void>;
}

/** A server that did not start, or whose tools cannot be used. */
interface Failed {
  readonly category: "not-started" | "schema";
  readonly why: string;
}

/**
 * Starts all servers together.
 *
 * @throws RunError with every failure: `not-started`, or `schema` if nothing of a tool's schema can be used. Nothing is
 * left running then, nor if the signal aborts.
 */
export async function startServers(
  config: ServersConfig,
  { signal, cwd, warn, onState }: StartParts,
): Promise<Servers> {
  const { options } = config;
  // A variable that is missing is a fault of the configuration: nothing is started.
  const servers = Object.entries(config.mcpServers).map(([name, server]) => {
    const headers = "url" in server ? config.headersOf(name) : {};
    return createServer(name, server, { options, cwd, headers });
  });
  const killAll = (): void => {
    for (const { child } of servers) child?.kill();
  };
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    closing ??= Promise.allSettled(servers.map(async (server) => server.close())).then(() => {
      process.off("exit", killAll);
    });
    return closing;
  };
  const abort = (): void => void close();

  async function open(server: Server): Promise<ToolsOfServer | Failed> {
    onState?.(server.name, "starting");
    const opened = await toolsOf(server);
    onState?.(server.name, "why" in opened ? "failed" : "ready");
    return opened;
  }

  async function toolsOf(server: Server): Promise<ToolsOfServer | Failed> {
    try {
      signal.throwIfAborted();
      await server.open(signal);
      const tools = await listTools(server.client, signal);
      const { unusable, warnings } = checkSchemas(tools, options);
      for (const warning of warnings) warn(`${server.name}: ${warning}`);
      if (unusable.length === 0) return { server, tools };
      return { category: "schema", why: unusableSchemas(server, unusable) };
    } catch (thrown) {
      if (thrown instanceof UnreadableTools)
        return { category: "schema", why: unusableSchemas(server, thrown.tools) };
      return { category: "not-started", why: whyNotStarted(server, thrown) };
    }
  }

  process.on("exit", killAll);
  signal.addEventListener("abort", abort);
  const opened = await Promise.all(servers.map(open));
  signal.removeEventListener("abort", abort);
  const failed = opened.filter((one) => "why" in one);
  if (signal.aborted || failed.length > 0) await close();
  signal.throwIfAborted();
  if (failed.length > 0) {
    const isSchema = failed.every(({ category }) => category === "schema");
    throw new RunError(
      isSchema ? "schema" : "not-started",
      failed.map(({ why }) => why).join("\n"),
    );
  }
  return { ...combineTools(opened.filter((one) => "tools" in one)), close };
}
