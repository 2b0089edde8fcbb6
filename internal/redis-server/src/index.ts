import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { freePort } from "@toolcontract/free-port";

/** A redis-server on loopback that keeps nothing on disk. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Sends its process a signal, such as SIGSTOP and SIGCONT for a server that hangs. */
  signal(name: NodeJS.Signals): void;
  /** Ends it at once. */
  stop(): Promise<void>;
}

/** Why tests on a real server are skipped; undefined if one is installed. */
export const WHY_NO_REDIS: string | undefined =
  pathOfServer() === undefined
    ? "no redis-server on PATH (apt-get install redis-server): tests on a real Redis are skipped"
    : undefined;

/** Starts a server on a free port, or on this one. */
export async function startRedis(port?: number): Promise<RedisServer> {
  const path = pathOfServer();
  if (path === undefined) throw new Error(WHY_NO_REDIS);
  for (let attempt = 1; ; attempt += 1) {
    const chosen = port ?? (await freePort());
    const child = spawn(path, [...OPTIONS, "--port", `${chosen}`], {
      cwd: tmpdir(),
      stdio: ["ignore", "pipe", "ignore"],
    });
    const endWithUs = (): void => void child.kill("SIGKILL");
    process.once("exit", endWithUs);
    if (await isReady(child)) {
      return {
        port: chosen,
        url: `redis://127.0.0.1:${chosen}`,
        signal: (name) => void child.kill(name),
        async stop() {
          process.off("exit", endWithUs);
          await end(child);
        },
      };
    }
    process.off("exit", endWithUs);
    // Somebody else has taken the port meanwhile.
    if (attempt === 5) throw new Error(`redis-server does not start on port ${chosen}.`);
  }
}

const OPTIONS = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];

function pathOfServer(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, "redis-server")).find((path) => existsSync(path));
}

async function isReady(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let log = "";
    child.once("error", reject);
    child.once("exit", () => resolve(false));
    child.stdout?.on("data", (chunk) => {
      log += String(chunk);
      if (log.includes("Ready to accept connections")) resolve(true);
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => {
    child.once("exit", resolve);
    child.kill("SIGKILL");
  });
}
