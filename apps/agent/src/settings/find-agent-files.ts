import { existsSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import type { ConfigFile, Layer } from "@toolcontract/config";
import {
  CONFIG_PATH,
  homeFolder,
  systemFolder,
  withoutRepetition,
} from "@toolcontract/config/adapter";

/** Where to look for the configuration of an agent. */
export interface AgentPlaces {
  /** A file that must exist; only the prompt's front matter has a higher precedence. */
  readonly path?: string | undefined;
  /** The working directory by default. */
  readonly cwd?: string | undefined;
  /** The file with the prompt, whose front matter is the highest layer. */
  readonly promptFile?: string | undefined;
  /** The program's own folder; none by default. */
  readonly program?: string | false | undefined;
  /** The folder with the user's `.agent` or `.ai-agent`, or false for none; the home directory by default. */
  readonly home?: string | false | undefined;
  /** The folder with the machine's `agent` or `ai-agent`, or false for none; `/etc` by default, none on Windows. */
  readonly system?: string | false | undefined;
}

/** One file of an agent's configuration. */
export interface AgentFile extends ConfigFile {
  /** The env files of its layer, highest precedence first. */
  readonly envFiles: readonly string[];
  readonly isJson: boolean;
}

/** The files of one place: the first that exists counts. */
const LOCAL = [CONFIG_PATH, [".ai-agent.json"]];
const HOME = [CONFIG_PATH, [".ai-agent", "ai-agent.json"]];
const SYSTEM = [
  ["agent", "config.yml"],
  ["ai-agent", "ai-agent.json"],
];

/** Finds the files of an agent's configuration, highest precedence first; they are not read. */
export function findAgentFiles(options: AgentPlaces = {}): readonly AgentFile[] {
  const cwd = resolve(options.cwd ?? process.cwd());
  const { path, promptFile, program = false } = options;
  const home = options.home ?? homeFolder() ?? false;
  const system = options.system ?? systemFolder();
  const first = (
    layer: Layer,
    folder: string | false,
    names: readonly (readonly string[])[],
  ): readonly ConfigFile[] => {
    if (folder === false) return [];
    const paths = names.map((parts) => resolve(cwd, folder, ...parts));
    return paths
      .filter((one) => existsSync(one))
      .slice(0, 1)
      .map((file) => ({ layer, path: file }));
  };
  const found: readonly ConfigFile[] = [
    ...(path === undefined ? [] : [{ layer: "explicit", path: resolve(cwd, path) } as const]),
    ...first("cwd", cwd, LOCAL),
    ...first("prompt-folder", promptFile !== undefined && dirname(resolve(cwd, promptFile)), LOCAL),
    ...first("program", program, LOCAL),
    ...first("home", home, HOME),
    ...first("system", system, SYSTEM),
  ];
  return withoutRepetition(found).map((file) => {
    const isJson = extname(file.path).toLowerCase() === ".json";
    return { ...file, envFiles: envFilesOf(file), isJson };
  });
}

/** The env files beside a configuration file and, for one in `.agent`, beside that folder. */
export function envFilesOf({ layer, path }: ConfigFile): readonly string[] {
  const folder = dirname(path);
  const folders = basename(folder) === ".agent" ? [folder, dirname(folder)] : [folder];
  const own = layer === "home" || layer === "system" ? ["ai-agent.env"] : [];
  const names = [".ai-agent.env", ...own, ".env"];
  return names.flatMap((name) => folders.map((one) => join(one, name)));
}
