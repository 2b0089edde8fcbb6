import type { LoadOptions } from "../load-options.ts";
import type { CommandContext } from "./command-context.ts";

/** Where a command looks for configuration. */
export function loadOptions(context: CommandContext, path: string | undefined): LoadOptions {
  const { cwd, home, system, env } = context;
  return { path, cwd, home, system, env };
}
