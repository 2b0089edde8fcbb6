import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { CONFIG_PATH, type ConfigFile, type Layer } from "./config-file.ts";
import { homeFolder } from "./home-folder.ts";
import { projectFolders } from "./project-folders.ts";

/** Where to look for configuration files. */
export interface FindOptions {
  /** A file of the caller's choice; it must be there and wins over all others. */
  readonly path?: string | undefined;
  /** Where the search begins; the working directory by default. */
  readonly cwd?: string | undefined;
  /** The folder that holds the user's `.agent`, or false for none; the home directory by default. */
  readonly home?: string | false | undefined;
  /** The folder that holds the machine's `agent`, or false for none; `/etc` by default, none on Windows. */
  readonly system?: string | false | undefined;
}

/**
 * Finds the configuration files that hold for a folder, the one that wins first.
 *
 * @remarks It reads none of them, and loads neither the YAML parser nor the contract.
 */
export function findConfigFiles(options: FindOptions = {}): readonly ConfigFile[] {
  const cwd = resolve(options.cwd ?? process.cwd());
  const home = options.home ?? homeFolder() ?? false;
  const system = options.system ?? (process.platform === "win32" ? false : "/etc");
  const homePath = home === false ? undefined : resolve(cwd, home);
  const found = [
    ...projectFolders(cwd, homePath).map((folder) =>
      configFile(folder === cwd ? "cwd" : "project", folder, ...CONFIG_PATH),
    ),
    ...(homePath === undefined ? [] : [configFile("home", homePath, ...CONFIG_PATH)]),
    // Below /etc nothing needs to be hidden.
    ...(system === false
      ? []
      : [configFile("system", resolve(cwd, system), "agent", "config.yml")]),
  ].filter(({ path }) => isThere(path));
  const all =
    options.path === undefined ? found : [configFile("explicit", cwd, options.path), ...found];
  return withoutRepetition(all);
}

function configFile(layer: Layer, folder: string, ...names: readonly string[]): ConfigFile {
  return { layer, path: resolve(folder, ...names) };
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A folder that may not be entered: nothing in it can be meant for this process.
    return false;
  }
}

/** The home directory is often above the project or is the working directory: a file counts once, where it wins. */
function withoutRepetition(files: readonly ConfigFile[]): readonly ConfigFile[] {
  const seen = new Set<string>();
  return files.filter(({ path }) => {
    const real = isThere(path) ? realpathSync(path) : path;
    if (seen.has(real)) return false;
    seen.add(real);
    return true;
  });
}
