import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** Starts processes that end with the benchmark. */
export interface Processes {
  /** Starts a Node script; Node's flags may precede it. */
  readonly start: (...args: readonly string[]) => ChildProcess;
}

/** Runs a task and ends all processes it started, even if it throws. */
export async function withProcesses<T>(task: (processes: Processes) => Promise<T>): Promise<T> {
  const started: ChildProcess[] = [];
  try {
    return await task({
      start(...args) {
        const child = spawn(process.execPath, args, {
          stdio: ["pipe", "pipe", "ignore"],
          env: { ...process.env, TOOLCONTRACT_CONFIG: "off" },
        });
        // A child that prints would block on a full pipe.
        child.stdout.resume();
        child.stdin.on("error", () => undefined);
        started.push(child);
        return child;
      },
    });
  } finally {
    await Promise.all(started.map(end));
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.stdin?.end();
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await ended;
  clearTimeout(late);
}
