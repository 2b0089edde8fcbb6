import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import type { StdioServerConfig } from "../../settings/index.ts";
import {
  type Servers,
  type ServersConfig,
  startServers,
  type StartParts,
} from "../start-servers.ts";

const require = createRequire(import.meta.url);

/** A server from npm. */
export function npm(name: string, ...args: readonly string[]): StdioServerConfig {
  const main = require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);
  return { command: process.execPath, args: [main, ...args] };
}

/** A server that is a program of Node. */
export function program(code: string): StdioServerConfig {
  return { command: process.execPath, args: ["-e", code] };
}

/** What a server of `mcpProgram` does. */
export interface ProgramParts {
  /** The tools as JSON; one without parameters, `pid`, by default. */
  readonly tools?: unknown;
  /** Runs first. */
  readonly first?: string;
  /** Runs for a call, instead of answering with the process's id; the message is `m`. */
  readonly onCall?: string;
  /** Runs for every other message. */
  readonly onOther?: string;
}

/** The source of a small MCP server. */
export function mcpProgram({
  tools = [{ name: "pid", inputSchema: { type: "object" } }],
  first = "",
  onCall = 'reply(m, { content: [{ type: "text", text: String(process.pid) }] })',
  onOther = "",
}: ProgramParts = {}): string {
  return `
    const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
    const reply = (m, result) => write({ id: m.id, result });
    ${first}
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const m = JSON.parse(line);
      if (m.method === "initialize") reply(m, { protocolVersion: "2025-06-18",
        capabilities: { tools: {} }, serverInfo: { name: "test", version: "1" } });
      else if (m.method === "tools/list") reply(m, { tools: ${JSON.stringify(tools)} });
      else if (m.method === "tools/call") { ${onCall} }
      else { ${onOther} }
    });`;
}

/** Servers that were started, and what was heard meanwhile. */
export interface Started {
  readonly servers: Servers;
  readonly states: readonly string[];
  readonly warnings: readonly string[];
}

/** Starts servers in this folder. */
export async function start(
  mcpServers: ServersConfig["mcpServers"],
  parts: Partial<StartParts & Omit<ServersConfig, "mcpServers">> = {},
): Promise<Started> {
  const { options = {}, headersOf = () => ({}), envOf = () => ({}), ...others } = parts;
  const states: string[] = [];
  const warnings: string[] = [];
  const servers = await startServers(
    { mcpServers, options, headersOf, envOf },
    {
      signal: new AbortController().signal,
      cwd: import.meta.dirname,
      env: process.env,
      warn: (line) => warnings.push(line),
      onState: (server, state) => states.push(`${server} ${state}`),
      ...others,
    },
  );
  return { servers, states, warnings };
}

/** What keeps servers from starting. */
export async function failureOf(...given: Parameters<typeof start>): Promise<unknown> {
  let started: Started;
  try {
    started = await start(...given);
  } catch (thrown) {
    return thrown;
  }
  await started.servers.close();
  return "started";
}

/** Calls a tool as the SDK does. */
export async function call(
  { tools }: Pick<Servers, "tools">,
  name: string,
  input: object = {},
  abortSignal?: AbortSignal,
): Promise<unknown> {
  return tools[name]?.execute?.(input, {
    toolCallId: "c",
    messages: [],
    context: {},
    ...(abortSignal && { abortSignal }),
  });
}

/** The text of a result. */
export function textOf(result: unknown): string {
  const { content } = result as { readonly content: readonly { readonly text: string }[] };
  return content.map(({ text }) => text).join("");
}

/** Resolves when a process has ended. */
export async function ended(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(10);
}

/** Whether a process runs; one that nobody has waited for does not. */
export function isAlive(pid: number): boolean {
  const [state = "Z"] = statusOf(pid);
  return state !== "Z";
}

/** The process group of a process. */
export function groupOf(pid: number): number {
  return Number(statusOf(pid)[1]);
}

/** The state of a process, and its group; nothing if it has ended. */
function statusOf(pid: number): readonly string[] {
  const [state, group] = process.platform === "linux" ? statusInProc(pid) : statusOfPs(pid);
  return state && group ? [state.slice(0, 1), group] : [];
}

/** The same without a process for it, because it is asked again and again. */
function statusInProc(pid: number): readonly (string | undefined)[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name before them is in brackets, and may contain anything.
    const [state, , group] = text.slice(text.lastIndexOf(") ") + 2).split(" ");
    return [state, group];
  } catch {
    return [];
  }
}

function statusOfPs(pid: number): readonly string[] {
  const { stdout } = spawnSync("ps", ["-o", "stat=,pgid=", "-p", `${pid}`], { encoding: "utf8" });
  return stdout.trim().split(/\s+/u);
}
