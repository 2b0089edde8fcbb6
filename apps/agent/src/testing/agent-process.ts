import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** The command as a process. */
export interface AgentProcess {
  readonly child: ChildProcess;
  /** Resolves when this text is in the output or in the errors; rejects if the process ends without it. */
  readonly hasWritten: (text: string) => Promise<void>;
  readonly ended: Promise<Ended>;
}

/** What a process left. */
export interface Ended {
  /** The exit code, or the signal that ended it. */
  readonly exitCode: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where and how a process starts. */
export interface ProcessOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a program. */
export function startProcess(
  command: string,
  args: readonly string[],
  options: ProcessOptions,
): AgentProcess {
  const child = spawn(command, args, options);
  const written = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      written[name] += text;
    });
  }
  // It may end before it has read everything.
  child.stdin.on("error", () => undefined);
  const ended = once(child, "close").then(([code, signal]: (number | string | null)[]): Ended => ({
    exitCode: code ?? signal ?? "unknown",
    ...written,
  }));
  return {
    child,
    ended,
    hasWritten: async (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (written.stdout.includes(text) || written.stderr.includes(text)) resolve();
        };
        child.stdout.on("data", look);
        child.stderr.on("data", look);
        look();
        void ended.then((all) => reject(new Error(`No "${text}" in: ${JSON.stringify(all)}`)));
      }),
  };
}
