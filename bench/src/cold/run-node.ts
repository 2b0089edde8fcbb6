import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** What a new Node process prints, which is started with nothing of this one's options. */
export async function runNode(args: readonly string[], cwd: string): Promise<string> {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const { stdout } = await run(process.execPath, [...args], { cwd, env, timeout: 120_000 });
  return stdout;
}
