import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import spawn from "cross-spawn";
import { exitCode } from "./exit-code.ts";
import { type ProcessTree, processTree } from "./process-tree.ts";

/** An MCP server that runs as a child process. */
export interface ServerProcess {
  readonly status: "started";
  readonly toServer: Writable;
  readonly fromServer: Readable;
  readonly tree: ProcessTree;
  /** How it ended, once it has; it never rejects. */
  readonly ended: Promise<ServerEnd>;
}

/** A server that never ran. */
export interface NotStarted {
  readonly status: "not started";
  /** The exit code that shells give for it. */
  readonly code: number;
  readonly reason: string;
}

/** How a server ended. */
export type ServerEnd = NotStarted | { readonly status: "exited"; readonly code: number };

/** The command of a server. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** Starts a server with the whole environment; its standard error is ours. */
export function startServer({ command, args }: ServerCommand): ServerProcess | NotStarted {
  let child: ChildProcess;
  try {
    child = spawn(command, [...args], {
      stdio: ["pipe", "pipe", "inherit"],
      // A group of its own: signals then reach its descendants, and those of a terminal come once, from us.
      detached: process.platform !== "win32",
      windowsHide: true,
    });
  } catch (thrown) {
    return notStarted(thrown);
  }
  const { stdin, stdout } = child;
  const ended = endOf(child);
  if (!stdin || !stdout) return notStarted(undefined);
  // It may end while we write.
  stdin.on("error", () => undefined);
  const tree = processTree(child);
  return { status: "started", toServer: stdin, fromServer: stdout, tree, ended };
}

async function endOf(child: ChildProcess): Promise<ServerEnd> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => {
      resolve({ status: "exited", code: exitCode(code, signal) });
    });
    child.on("error", (error) => {
      if (child.pid === undefined) resolve(notStarted(error));
    });
  });
}

function notStarted(thrown: unknown): NotStarted {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "no pipes";
  if (code === "ENOENT") return { status: "not started", code: 127, reason: "command not found" };
  return { status: "not started", code: 126, reason: `it could not be started (${code})` };
}
