import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import crossSpawn from "cross-spawn";

/** An MCP server that runs as a child process. */
export interface ServerProcess {
  readonly status: "started";
  readonly toServer: Writable;
  readonly fromServer: Readable;
  /** Its standard error, unless it inherited ours. */
  readonly errors: Readable | null;
  readonly tree: ProcessTree;
  /** Resolves when it has ended; never rejects. */
  readonly ended: Promise<ServerEnd>;
}

/** A server that could not be started. */
export interface NotStarted {
  readonly status: "not started";
  readonly reason: string;
}

/** How a server ended. */
export type ServerEnd = NotStarted | { readonly status: "exited"; readonly code: number };

/** The command of a server. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Where it runs; by default where we do. */
  readonly cwd?: string | undefined;
  /** Its variables; by default ours, without those of our own settings. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A process and its descendants, signalled together: launchers such as npx do not forward signals. */
interface ProcessTree {
  /** Sends a signal to all of them; false if none is left. */
  readonly signal: (name: NodeJS.Signals) => boolean;
  /** Whether any of them is still running. */
  readonly isAlive: () => boolean;
}

const OWN_VARIABLE = /^TOOLCONTRACT_/i;

/** The environment without the proxy's own settings, which may hold credentials. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !OWN_VARIABLE.test(name)),
  );
}

/** A server's process, and all that it starts. */
export interface SpawnedServer {
  readonly child: ChildProcess;
  readonly tree: ProcessTree;
}

/** Spawns a server; what goes wrong is an event of the process, or thrown. */
export function spawnServer(
  { command, args, cwd, env = environment() }: ServerCommand,
  errors: "pipe" | "inherit" | "ignore",
): SpawnedServer {
  const child = crossSpawn(command, [...args], {
    stdio: ["pipe", "pipe", errors],
    env,
    ...(cwd !== undefined && { cwd }),
    // In its own process group, signals reach its descendants too, and a terminal's Ctrl+C only reaches us.
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  return { child, tree: process.platform === "win32" ? windowsTree(child) : processGroup(child) };
}

/** Starts a server; its standard error is read, ours, or thrown away. */
export function startServer(
  command: ServerCommand,
  errors: "pipe" | "inherit" | "ignore",
): ServerProcess | NotStarted {
  let spawned: SpawnedServer;
  try {
    spawned = spawnServer(command, errors);
  } catch (thrown) {
    return notStarted(thrown);
  }
  const { child, tree } = spawned;
  const { stdin, stdout, stderr } = child;
  const ended = endOfServer(child);
  if (!stdin || !stdout) return notStarted(undefined);
  // The server may end while we write.
  stdin.on("error", () => undefined);
  return { status: "started", toServer: stdin, fromServer: stdout, errors: stderr, tree, ended };
}

async function endOfServer(child: ChildProcess): Promise<ServerEnd> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => {
      resolve({ status: "exited", code: exitCode(code, signal) });
    });
    child.on("error", (error) => {
      if (child.pid === undefined) resolve(notStarted(error));
    });
  });
}

/** The exit code as shells report it: the process's own, or 128 plus the signal's number. */
function exitCode(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? (signal === null ? 1 : 128 + constants.signals[signal]);
}

function notStarted(thrown: unknown): NotStarted {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "no pipes";
  if (code === "ENOENT") return { status: "not started", reason: "command not found" };
  return { status: "not started", reason: `it could not be started (${code})` };
}

function processGroup({ pid }: ChildProcess): ProcessTree {
  const send = (name: NodeJS.Signals | 0): boolean => {
    if (pid === undefined) return false;
    try {
      return process.kill(-pid, name);
    } catch {
      return false;
    }
  };
  return { signal: send, isAlive: () => send(0) };
}

/** Windows has no signals: only a forced end reaches the descendants. */
function windowsTree(child: ChildProcess): ProcessTree {
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  return {
    isAlive,
    signal(name) {
      if (!isAlive() || child.pid === undefined) return false;
      if (name !== "SIGKILL") return child.kill(name);
      spawn("taskkill", ["/pid", String(child.pid), "/t", "/f"], { stdio: "ignore" }).on(
        "error",
        () => child.kill(),
      );
      return true;
    },
  };
}
