import { existsSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { up } from "empathic/walk";
import { homedir } from "node:os";

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

/**
 * The folders from the working directory up to the root of the project, which is the one with `.git`.
 *
 * @remarks Outside of a repository all folders above are taken, but for the home directory, which is a layer of its own.
 */
function projectFolders(cwd: string, home: string | undefined): readonly string[] {
  const above = up(cwd);
  const atHome = above.findIndex((folder, index) => index > 0 && folder === home);
  const folders = atHome === -1 ? above : above.slice(0, atHome);
  const root = folders.findIndex((folder) => existsSync(join(folder, ".git")));
  return root === -1 ? folders : folders.slice(0, root + 1);
}

/** The user's home directory, if there is one. */
export function homeFolder(): string | undefined {
  try {
    return homedir();
  } catch {
    // A user id without an entry in the system's list of users, as in some containers.
    return undefined;
  }
}

/** Where a configuration file was found; the first of these wins. */
export type Layer = "explicit" | "cwd" | "project" | "home" | "system";

/** One configuration file. */
export interface ConfigFile {
  readonly layer: Layer;
  /** Absolute. */
  readonly path: string;
}

/** Where a configuration file stands below the folder that it is for. */
export const CONFIG_PATH: readonly string[] = [".agent", "config.yml"];
