import { environmentLayer } from "./environment.ts";
import { FLAGS } from "./flags.ts";
import type { Arguments } from "./read-arguments.ts";
import { readSettings, type SettingsLayer } from "./read-settings.ts";
import type { Settings } from "./settings.ts";
import { UsageError } from "./usage-error.ts";

/** What the command line asks for. */
export type Plan =
  | {
      readonly run: "stdio";
      readonly settings: Settings;
      readonly command: string;
      readonly args: readonly string[];
    }
  | { readonly run: "http"; readonly settings: Settings; readonly upstream: URL };

/** Where settings come from without a file, the one that wins first. */
export function ownLayers(given: Arguments, env: NodeJS.ProcessEnv): readonly SettingsLayer[] {
  return [flagLayer(given), environmentLayer(env)];
}

/** Makes one plan of a command line and all settings; throws a UsageError where there is none. */
export function planOf(given: Arguments, layers: readonly SettingsLayer[]): Plan {
  const settings = readSettings(layers);
  const [command, ...args] = given.command;
  if (command !== undefined) {
    const stray = [...given.flags.keys()].find((name) => FLAGS[name].section === "HTTP");
    if (stray === "upstream") {
      throw new UsageError("pass either a server's command or --upstream <url>, not both");
    }
    if (stray !== undefined) {
      throw new UsageError(
        `--${stray} belongs to an HTTP proxy: pass --upstream <url>, or leave it out`,
      );
    }
    return { run: "stdio", settings, command, args };
  }
  if (settings.upstream === undefined) {
    throw new UsageError(
      "name the server to guard: toolcontract-mcp -- <command> [arguments], or --upstream <url>",
    );
  }
  return { run: "http", settings, upstream: urlOf(settings.upstream) };
}

function flagLayer({ flags }: Arguments): SettingsLayer {
  return { texts: (name) => flags.get(name), called: (name) => `--${name}` };
}

function urlOf(text: string): URL {
  if (!URL.canParse(text)) {
    throw new UsageError("--upstream must be a URL such as https://example.com/mcp");
  }
  return new URL(text);
}
