import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  createFolder,
  errorOf,
  type Folder,
  surroundingsIn,
} from "@toolcontract/case-table/folder";
import { ConfigError } from "@toolcontract/config";
import { type AgentConfig, type AgentLoadOptions, loadAgentConfig } from "../index.ts";

/** A folder with a working directory `project`, a home directory and a machine's folder of its own. */
export interface AgentProject extends Folder {
  /** Loads its configuration, with nothing of this machine. */
  readonly load: (options?: AgentLoadOptions) => AgentConfig;
  /** The error that loading throws. */
  readonly error: (options?: AgentLoadOptions) => ConfigError;
}

/** Makes a folder that is gone when the test has finished. */
export function createAgentProject(files: Readonly<Record<string, string>> = {}): AgentProject {
  const { folder, write } = createFolder(files);
  const cwd = join(folder, "project");
  mkdirSync(cwd, { recursive: true });
  const load = (options: AgentLoadOptions = {}): AgentConfig =>
    loadAgentConfig({ cwd, ...surroundingsIn(folder), ...options });
  return { folder, write, load, error: (options) => errorOf(ConfigError, () => load(options)) };
}

/** The configuration file in the working directory. */
export const CWD_FILE = "project/.agent/config.yml";
