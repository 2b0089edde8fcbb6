import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Runs a new Node process, without this one's options and compiled code, and returns what it prints. */
export async function runNode(args: readonly string[], cwd: string): Promise<string> {
  const { NODE_OPTIONS: _, NODE_COMPILE_CACHE: __, ...env } = process.env;
  const { stdout } = await run(process.execPath, [...args], { cwd, env, timeout: 120_000 });
  return stdout;
}
