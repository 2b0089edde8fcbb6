import { spawn } from "node:child_process";
import { delimiter, resolve } from "node:path";

/** The counts of a gate; a single check counts as one. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped?: boolean;
  /** What was counted, in words. */
  readonly detail?: string;
  /** What failed, a line each. */
  readonly failures?: readonly string[];
}

/** One check of the repository: a command, or a function that returns its counts. */
export interface Gate {
  readonly name: string;
  readonly command?: string;
  readonly run?: () => Promise<Tally>;
  readonly cwd?: string;
  /** The gate without which this one cannot run. */
  readonly needs?: string;
}

const ENVIRONMENT = {
  ...process.env,
  CI: "true",
  PATH: resolve("node_modules/.bin") + delimiter + (process.env["PATH"] ?? ""),
  TURBO_TELEMETRY_DISABLED: "1",
};

/** Runs a command, streaming its output; with `capture`, its standard output is returned instead. */
export function runCommand(
  command: string,
  options: { cwd?: string; capture?: boolean; env?: Readonly<Record<string, string>> } = {},
): Promise<{ ok: boolean; stdout: string }> {
  const [program = "", ...args] = command.split(" ");
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...ENVIRONMENT, ...options.env },
    stdio: ["ignore", options.capture === true ? "pipe" : "inherit", "inherit"],
  });
  let stdout = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  return new Promise((done) => {
    child.on("error", (error) => {
      console.error(error.message);
      done({ ok: false, stdout });
    });
    child.on("close", (code) => done({ ok: code === 0, stdout }));
  });
}

/** Runs one gate to its end; a failing gate never throws. */
export async function runGate(gate: Gate): Promise<Tally> {
  if (gate.run !== undefined) return gate.run();
  const { ok } = await runCommand(gate.command ?? "", gate.cwd === undefined ? {} : gate);
  return ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}
