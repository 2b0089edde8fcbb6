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
  /** What it printed, unless it was shown as it came. */
  readonly output?: string;
  /** How long it took. */
  readonly seconds?: number;
}

/** One check of the repository: a command, or a function that returns its counts. */
export interface Gate {
  readonly name: string;
  readonly command?: string;
  readonly run?: () => Promise<Tally>;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The gate without which this one cannot run. */
  readonly needs?: string;
  /** Its output is shown as it comes; that of the others waits for their end. */
  readonly isStreamed?: boolean;
  /** Every shard runs a part of it. */
  readonly isSplit?: boolean;
}

const ENVIRONMENT = {
  ...process.env,
  CI: "true",
  PATH: resolve("node_modules/.bin") + delimiter + (process.env["PATH"] ?? ""),
  TURBO_TELEMETRY_DISABLED: "1",
  // The compilers of the type checker and the linter are written in Go, and end soon: collecting garbage takes a third of
  // their processor time.
  GOGC: process.env["GOGC"] ?? "off",
  GOMEMLIMIT: process.env["GOMEMLIMIT"] ?? "4GiB",
  // The same tools start once for each package: compiling them takes a fifth of a build.
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? resolve(".artifacts/compiled"),
};

/** How a command ended, and what it printed if that was kept. */
export interface Ended {
  readonly ok: boolean;
  readonly stdout: string;
  /** Standard output and standard error, as they came. */
  readonly output: string;
}

/** Runs a command, streaming its output; with `keepsOutput`, the output is returned instead. */
export function runCommand(
  command: string,
  options: {
    cwd?: string;
    keepsOutput?: boolean;
    env?: Readonly<Record<string, string>>;
  } = {},
): Promise<Ended> {
  const [program = "", ...args] = command.split(/ +/);
  const stdio = options.keepsOutput === true ? "pipe" : "inherit";
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...ENVIRONMENT, ...options.env },
    stdio: ["ignore", stdio, stdio],
  });
  let stdout = "";
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    output += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (output += text));
  return new Promise((done) => {
    child.on("error", ({ message }) => {
      if (options.keepsOutput !== true) console.error(message);
      done({ ok: false, stdout, output: `${output}${message}\n` });
    });
    child.on("close", (code) => done({ ok: code === 0, stdout, output }));
  });
}

/** Runs one gate to its end; a failing gate never throws. */
export async function runGate(gate: Gate): Promise<Tally> {
  const start = performance.now();
  const tally = await (gate.run ?? (() => runCheck(gate)))();
  return { ...tally, seconds: (performance.now() - start) / 1000 };
}

async function runCheck(gate: Gate): Promise<Tally> {
  const { ok, output } = await runCommand(gate.command ?? "", {
    ...(gate.cwd !== undefined && { cwd: gate.cwd }),
    ...(gate.env !== undefined && { env: gate.env }),
    keepsOutput: true,
  });
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, output };
}
