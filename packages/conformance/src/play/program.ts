import { spawn } from "node:child_process";
import { once } from "node:events";
import type { KitEnvironment } from "./environment.ts";

/** How much of what a program writes to stderr is kept, in characters. */
const KEPT = 4_000;

/** Runs the program under test once; rejects with what went wrong, and ends early if the signal says so. */
export type Program = (environment: KitEnvironment, signal: AbortSignal) => Promise<void>;

/** A program that is started by a command line, once for each scenario. */
export function commandProgram(command: string): Program {
  return async (environment, signal) => {
    if (signal.aborted) return;
    const isWindows = process.platform === "win32";
    const child = spawn(command, {
      shell: true,
      // The group is ended as a whole: the shell and all that it started.
      detached: !isWindows,
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, ...environment },
    });
    let tail = "";
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (part: string) => {
      tail = (tail + part).slice(-KEPT);
    });
    const stop = (): void => endProgram(child.pid, isWindows);
    signal.addEventListener("abort", stop);
    try {
      const [code, name] = (await once(child, "exit")) as [number | null, string | null];
      if (signal.aborted || code === 0) return;
      const how = code === null ? `ended by ${name}` : `exit code ${code}`;
      const line = errorLine(tail);
      throw new Error(line === "" ? how : `${how}: ${line}`);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  };
}

function endProgram(pid: number | undefined, isWindows: boolean): void {
  if (pid === undefined) return;
  if (isWindows) {
    spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore" });
    return;
  }
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** The line that says what went wrong: the first that names an error, or the last. */
function errorLine(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const named = lines.find((line) => /^\s*\w*(?:Error|Exception)\b.*:/.test(line));
  return (named ?? lines.at(-1) ?? "").trim().slice(0, 300);
}
