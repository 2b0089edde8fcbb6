import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Runs a new Node process, without this one's options, and returns what it prints. */
export async function runNode(
  args: readonly string[],
  cwd: string,
  added: NodeJS.ProcessEnv = {},
): Promise<string> {
  const { NODE_OPTIONS: _, ...env } = { ...process.env, ...added };
  const { stdout } = await run(process.execPath, [...args], { cwd, env, timeout: 120_000 });
  return stdout;
}
