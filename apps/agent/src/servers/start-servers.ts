import type { LostServers } from "../output/index.ts";
import type { AgentConfig, StdioServerConfig } from "../settings/index.ts";
import { RunError } from "@toolcontract/session";
import { checkSchemas } from "./check-schemas.ts";
import { type CombinedTools, combineTools, type ToolsOfServer } from "./combine-tools.ts";
import { listTools, UnreadableTools } from "./list-tools.ts";
import { createServer, type Server } from "./open-server.ts";
import { unusableSchemas, whyNotStarted } from "./why-not-started.ts";

/** What the configuration says of servers. */
export type ServersConfig = Pick<AgentConfig, "mcpServers" | "options" | "headersOf" | "envOf">;

/** What is heard of the servers while they start, and what ends that. */
export interface StartParts {
  readonly signal: AbortSignal;
  /** Where child processes start. */
  readonly cwd: string;
  readonly onState?: (server: string, state: "starting" | "ready" | "failed") => void;
  readonly warn: (line: string) => void;
  /** The environment of this process. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The servers of a run, and the tools that they have together. */
export interface Servers extends CombinedTools {
  /** Those that have died, by name. */
  lost(): LostServers;
  /** Ends all of them, and what they have started. */
  close(): Promise<void>;
}

/** After how long a server that has not started is named, unless half of its time is shorter. */
const SLOW_MS = 5_000;

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
  { signal, cwd, warn, onState, env }: StartParts,
): Promise<Servers> {
  const { options } = config;
  // A variable that is missing is a fault of the configuration: nothing is started.
  const servers = Object.entries(config.mcpServers).map(([name, server]) => {
    const headers = "url" in server ? config.headersOf(name) : {};
    return createServer(name, server, {
      options,
      cwd,
      headers,
      env: "command" in server ? environmentOf(name, server, { config, env }) : {},
      onRestart: warn,
    });
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
    const { name, startTimeout } = server;
    const slow = setTimeout(
      () => warn(`${name} has not started yet; it has ${startTimeout / 1000} s`),
      Math.min(SLOW_MS, startTimeout / 2),
    );
    const opened = await toolsOf(server);
    clearTimeout(slow);
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
  return {
    ...combineTools(opened.filter((one) => "tools" in one)),
    close,
    lost() {
      const dead = servers.filter(({ child }) => child?.end !== undefined);
      const revived = servers.filter((one) => one.wasRestarted && !dead.includes(one));
      return { lost: dead.map(({ name }) => name), restarted: revived.map(({ name }) => name) };
    },
  };
}

/** Variables that a server behind a proxy, or started by npm, cannot do without. */
const INHERITED =
  /^(?:(?:https?|all|no)_proxy|node_extra_ca_certs|node_use_(?:system|bundled)_ca|ssl_cert_(?:file|dir)|npm_config_.+)$/i;

/** What a server gets of this process's environment, and its own variables, expanded. */
function environmentOf(
  name: string,
  { env: own, inheritEnv = [] }: StdioServerConfig,
  { config, env }: { readonly config: ServersConfig; readonly env: StartParts["env"] },
): Readonly<Record<string, string>> {
  const inherited = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (INHERITED.test(entry[0]) || inheritEnv.includes(entry[0])),
  );
  const hasVariable = Object.values(own ?? {}).some((value) => value.includes("${"));
  return { ...Object.fromEntries(inherited), ...(hasVariable ? config.envOf(name) : own) };
}
