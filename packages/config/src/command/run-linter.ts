import { ConfigError, loadConfig } from "../load/index.ts";
import type { CommandContext } from "./command-line.ts";

/** The linter's exit code for input that it cannot read. */
const UNREADABLE = 2;

/** Runs `toolcontract lint` with the settings of the files and returns its exit code. Only this command loads the linter. */
export async function runLinter(
  args: readonly string[],
  { cwd, home, system, env = {}, print, warn }: CommandContext,
  isColored: boolean,
): Promise<number> {
  const { runLint } = await import("@toolcontract/lint/command");
  try {
    const { lint: settings } = loadConfig({ cwd, home, system, env });
    return await runLint(args, { cwd, env, print, warn, isColored, settings });
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    warn(thrown.message);
    return UNREADABLE;
  }
}
