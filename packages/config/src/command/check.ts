import { formatFault } from "../config-fault.ts";
import { loadConfig, type LoadedConfig } from "../load-config.ts";
import type { CommandArguments, CommandContext } from "./command-context.ts";
import { loadOptions } from "./load-options-of.ts";
import { shownIn } from "./shown-in.ts";

/** Checks the configuration and says what was read. */
export function check({ path, json }: CommandArguments, context: CommandContext): void {
  const config = loadConfig(loadOptions(context, path));
  if (json) {
    const { files, advisories } = config;
    context.print(JSON.stringify({ valid: true, files, faults: [], advisories }, null, 2));
    return;
  }
  const show = shownIn(context);
  for (const advisory of config.advisories) context.warn(formatFault(advisory, show));
  context.print(summary(config, show));
}

function summary({ files }: LoadedConfig, show: (path: string) => string): string {
  if (files.length === 0) return "No configuration file was found: the defaults hold.";
  return `Valid: ${files.map((file) => show(file.path)).join(", ")}`;
}
