import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type AgentConfig, type AgentLoadOptions, loadAgentConfig } from "../agent/index.ts";
import { ConfigError } from "../load/index.ts";

/** A folder with a working directory `work`, a home directory and a machine's folder of its own. */
export interface AgentProject {
  readonly folder: string;
  /** Writes a file and answers its path. */
  readonly write: (path: string, text: string) => string;
  /** Loads its configuration, with nothing of this machine. */
  readonly load: (options?: AgentLoadOptions) => AgentConfig;
  /** The error that loading throws. */
  readonly error: (options?: AgentLoadOptions) => ConfigError;
}

/** Makes a folder that is gone when the test has finished. */
export function createAgentProject(files: Readonly<Record<string, string>> = {}): AgentProject {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolcontract-agent-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, text: string): string => {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    return target;
  };
  mkdirSync(join(folder, "work"));
  for (const [path, text] of Object.entries(files)) write(path, text);
  const around = {
    cwd: join(folder, "work"),
    home: join(folder, "home"),
    system: join(folder, "etc"),
    env: {},
  };
  const load = (options: AgentLoadOptions = {}): AgentConfig =>
    loadAgentConfig({ ...around, ...options });
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

/** The configuration file in the working directory. */
export const WORK_FILE = "work/.agent/config.yml";
