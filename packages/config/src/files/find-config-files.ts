import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { up } from "empathic/walk";

/** Where a configuration file was found, highest precedence first; prompts and programs are those of an agent. */
export type Layer =
  | "prompt"
  | "explicit"
  | "cwd"
  | "project"
  | "prompt-folder"
  | "program"
  | "home"
  | "system";

/** One configuration file. */
export interface ConfigFile {
  readonly layer: Layer;
  /** Absolute. */
  readonly path: string;
}

/** The path of a configuration file below its folder. */
export const CONFIG_PATH: readonly string[] = [".agent", "config.yml"];

/**
 * Where to look for configuration files.
 *
 * @example
 * ```ts
 * const options: FindOptions = { cwd: "/srv/app", home: false, system: false };
 * ```
 * @see packages/config/README.md
 */
export interface FindOptions {
  /** A file that must exist; it has the highest precedence. */
  readonly path?: string | undefined;
  /**
   * Where the search starts.
   *
   * @default the working directory
   */
  readonly cwd?: string | undefined;
  /**
   * The folder with the user's `.agent`, or false for none.
   *
   * @default the home directory
   */
  readonly home?: string | false | undefined;
  /**
   * The folder with the machine's `agent`, or false for none.
   *
   * @default `/etc`, and none on Windows
   */
  readonly system?: string | false | undefined;
}

/**
 * Finds the configuration files that apply to a folder, highest precedence first.
 *
 * @remarks It does not read them, and loads neither the YAML parser nor the contract.
 * @example
 * ```ts
 * for (const { path } of findConfigFiles()) console.log(path); // the nearest first
 * ```
 * @see packages/config/README.md
 */
export function findConfigFiles(options: FindOptions = {}): readonly ConfigFile[] {
  const cwd = resolve(options.cwd ?? process.cwd());
  const home = options.home ?? homeFolder() ?? false;
  const system = options.system ?? systemFolder();
  const homePath = home === false ? undefined : resolve(cwd, home);
  const found = [
    ...projectFolders(cwd, homePath).map((folder) =>
      configFile(folder === cwd ? "cwd" : "project", folder, ...CONFIG_PATH),
    ),
    ...(homePath === undefined ? [] : [configFile("home", homePath, ...CONFIG_PATH)]),
    // In /etc the folder needs no leading dot.
    ...(system === false
      ? []
      : [configFile("system", resolve(cwd, system), "agent", "config.yml")]),
  ].filter(({ path }) => existsSync(path));
  const all =
    options.path === undefined ? found : [configFile("explicit", cwd, options.path), ...found];
  return withoutRepetition(all);
}

function configFile(layer: Layer, folder: string, ...names: readonly string[]): ConfigFile {
  return { layer, path: resolve(folder, ...names) };
}

/** Keeps each file once, at its highest precedence: the home directory may be above the project, or the same folder. */
export function withoutRepetition(files: readonly ConfigFile[]): readonly ConfigFile[] {
  const seen = new Set<string>();
  return files.filter(({ path }) => {
    const real = linkedPath(path);
    if (seen.has(real)) return false;
    seen.add(real);
    return true;
  });
}

function linkedPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/**
 * The folders from the working directory up to the project root, the one with `.git`.
 *
 * @remarks Outside a repository: all folders up to, but not including, the home directory, which is another layer.
 * Nothing above it is the user's.
 */
function projectFolders(cwd: string, home: string | undefined): readonly string[] {
  const above = up(cwd);
  const realHome = home === undefined ? undefined : linkedPath(home);
  const atHome = above.findIndex((folder) => linkedPath(folder) === realHome);
  // The working directory counts, even if it is the home directory.
  const folders = atHome === -1 ? above : above.slice(0, Math.max(atHome, 1));
  const root = folders.findIndex((folder) => existsSync(join(folder, ".git")));
  return root === -1 ? folders : folders.slice(0, root + 1);
}

/** The folder with the machine's configuration, if the system has one. */
export function systemFolder(): string | false {
  return process.platform === "win32" ? false : "/etc";
}

/** The user's home directory, if it is known. */
export function homeFolder(): string | undefined {
  try {
    return homedir();
  } catch {
    // Some containers run under a user id that is not in the system's user list.
    return undefined;
  }
}
