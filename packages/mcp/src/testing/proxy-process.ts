import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { inject } from "vitest";
import { type Proxy, proxyOn } from "./proxy-streams.ts";

/** The command of this package as a process, with a test as its client. */
export interface ProxyProcess extends Proxy {
  readonly child: ChildProcess;
}

const started = new Set<ChildProcess>();

/** Arguments that run a script as the guarded server. */
export function script(source: string, ...args: readonly string[]): readonly string[] {
  return ["--", process.execPath, "-e", source, ...args];
}

/** The command for a client to start. */
export function proxyCommand(args: readonly string[]): { command: string; args: string[] } {
  return { command: process.execPath, args: [inject("proxy"), ...args] };
}

/** Starts the command; it looks for configuration files only if a folder is given. */
export function startProxy(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd?: string,
): ProxyProcess {
  const command = proxyCommand(args);
  const child = spawn(command.command, command.args, {
    cwd,
    env: {
      ...process.env,
      ...(cwd === undefined && { TOOLCONTRACT_CONFIG: "off" }),
      ...env,
    },
  });
  started.add(child);
  const ended = new Promise<number | string>((resolve) => {
    child.once("close", (code, signal) => {
      started.delete(child);
      resolve(code ?? signal ?? "unknown");
    });
  });
  return { child, ...proxyOn(child, ended) };
}

/** Ends what a test left running. */
export async function endProxies(): Promise<void> {
  for (const child of started) {
    child.stdin?.end();
    child.kill("SIGTERM");
    await once(child, "close");
  }
}
