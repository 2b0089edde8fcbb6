import { spawn } from "node:child_process";
import { delimiter, dirname } from "node:path";

/** A process to run to its end. */
export interface ProcessToRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The Node that `#!/usr/bin/env node` finds; otherwise the one that runs this script. */
  readonly node?: string;
  readonly input?: string;
  /** More of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** The expected exit code. */
  readonly code?: number;
  readonly seconds?: number;
}

/** Runs a process and returns its standard output; throws for an unexpected exit code or a timeout. */
export function runProcess(wanted: ProcessToRun): Promise<string> {
  const { command, args, cwd, node = process.execPath, input = "", code = 0 } = wanted;
  const seconds = wanted.seconds ?? 60;
  const path = dirname(node) + delimiter + (process.env["PATH"] ?? "");
  const child = spawn(command, args, { cwd, env: { ...process.env, ...wanted.env, PATH: path } });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  // If a process ends before it has read everything, its exit code says so.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  return new Promise((done, fail) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), seconds * 1000);
    child.on("error", fail);
    child.on("close", (actual, signal) => {
      clearTimeout(timer);
      if (actual === code) done(stdout);
      else {
        const end =
          signal === null ? `exit code ${actual}` : `${signal}, after ${seconds} s at most`;
        fail(new Error(`${command} ${args.join(" ")}\n${end}, not ${code}\n${stdout}\n${stderr}`));
      }
    });
  });
}
