import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { ConfigError, loadConfig, type LoadedConfig, type LoadOptions } from "../load/index.ts";

/** A folder with a home directory and a machine's folder of its own. */
export interface Project {
  readonly folder: string;
  /** Writes a file and answers its path. */
  readonly write: (path: string, text: string | Uint8Array) => string;
  /** Loads its configuration, with nothing of this machine. */
  readonly load: (options?: LoadOptions) => LoadedConfig;
  /** The error that loading throws. */
  readonly error: (options?: LoadOptions) => ConfigError;
}

/** Makes a folder that is gone when the test has finished; the project is its `repo`, a repository. */
export function createProject(files: Readonly<Record<string, string>> = {}): Project {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolcontract-config-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, text: string | Uint8Array): string => {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    return target;
  };
  mkdirSync(join(folder, "repo", ".git"), { recursive: true });
  for (const [path, text] of Object.entries(files)) write(path, text);
  const around = {
    cwd: join(folder, "repo"),
    home: join(folder, "home"),
    system: join(folder, "etc"),
    env: {},
  };
  const load = (options: LoadOptions = {}): LoadedConfig => loadConfig({ ...around, ...options });
  return {
    folder,
    write,
    load,
    error(options) {
      try {
        load(options);
      } catch (thrown) {
        if (thrown instanceof ConfigError) return thrown;
        throw thrown;
      }
      throw new Error("the configuration is valid");
    },
  };
}

/** The configuration file of a project. */
export const FILE = "repo/.agent/config.yml";

/** A file's text with these settings below `tools.validation`. */
export function settings(validation: unknown): string {
  return JSON.stringify({ tools: { validation } });
}
