import type { CommandContext } from "./command-line.ts";

/** Runs `toolcontract lint` and returns its exit code. Only this command loads the linter. */
export async function runLinter(
  args: readonly string[],
  { cwd, env = {}, print, warn }: CommandContext,
  isColored: boolean,
): Promise<number> {
  const { runLint } = await import("@toolcontract/lint/command");
  return runLint(args, { cwd, env, print, warn, isColored });
}
