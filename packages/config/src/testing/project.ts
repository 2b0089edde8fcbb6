import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  createFolder,
  errorOf,
  type Folder,
  surroundingsIn,
} from "@toolcontract/case-table/folder";
import { ConfigError, loadConfig, type LoadedConfig, type LoadOptions } from "../load/index.ts";

/** A folder with a home directory and a machine's folder of its own. */
export interface Project extends Folder {
  /** Loads its configuration, with nothing of this machine. */
  readonly load: (options?: LoadOptions) => LoadedConfig;
  /** The error that loading throws. */
  readonly error: (options?: LoadOptions) => ConfigError;
}

/** Makes a folder that is gone when the test has finished; the project is its `repo`, a repository. */
export function createProject(files: Readonly<Record<string, string>> = {}): Project {
  const { folder, write } = createFolder(files);
  const cwd = join(folder, "repo");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  const load = (options: LoadOptions = {}): LoadedConfig =>
    loadConfig({ cwd, ...surroundingsIn(folder), ...options });
  return { folder, write, load, error: (options) => errorOf(ConfigError, () => load(options)) };
}

/** The configuration file of a project. */
export const FILE = "repo/.agent/config.yml";

/** A file's text with these settings below `tools.validation`. */
export function settings(validation: unknown): string {
  return JSON.stringify({ tools: { validation } });
}
