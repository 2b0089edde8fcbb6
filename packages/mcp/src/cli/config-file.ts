import type { ConfigFault, LoadedConfig } from "@toolcontract/config";
import type { ContractOptions } from "@toolcontract/core";
import { InvalidConfig } from "./failure.ts";
import { type FlagName, OFF } from "./flag.ts";
import { readSetting, type SettingsLayer } from "./settings.ts";

/** What the configuration files set. */
export interface FileSettings {
  /** The settings that have a flag. */
  readonly layer: SettingsLayer;
  /** All options that the files set. */
  readonly options: ContractOptions;
  /** The files, in order of precedence. */
  readonly paths: readonly string[];
  readonly advisories: readonly ConfigFault[];
}

/** Reads the configuration files, if there are any; throws an InvalidConfig with every fault of all of them. */
export async function readConfigFiles(
  layers: readonly SettingsLayer[],
  env: NodeJS.ProcessEnv,
): Promise<FileSettings | undefined> {
  const path = readSetting("config", layers);
  if (path === OFF) return undefined;
  if (path === undefined) {
    // Most projects have none, and then neither the YAML parser nor core is loaded before the server starts.
    const { findConfigFiles } = await import("@toolcontract/config/find");
    if (findConfigFiles().length === 0) return undefined;
  }
  const config = await load(path, env);
  const { options, files, advisories } = config;
  return { layer: layerOf(config), options, paths: files.map((file) => file.path), advisories };
}

async function load(path: string | undefined, env: NodeJS.ProcessEnv): Promise<LoadedConfig> {
  const { ConfigError, loadConfig } = await import("@toolcontract/config");
  try {
    return loadConfig({ path, env });
  } catch (thrown) {
    if (thrown instanceof ConfigError) throw new InvalidConfig(thrown.message);
    throw thrown;
  }
}

interface InFile {
  readonly pointer: string;
  readonly of: (options: ContractOptions) => string | number | boolean | undefined;
}

/** The settings in a file that have a flag. */
const IN_FILE: Readonly<Partial<Record<FlagName, InFile>>> = {
  "max-attempts": { pointer: "retry/max_attempts", of: ({ maxAttempts }) => maxAttempts },
  "unknown-args": {
    pointer: "unknown_fields",
    of: ({ unknownFields }) => (unknownFields === "schema" ? "ignore" : unknownFields),
  },
  "unwrap-strings": { pointer: "unwrap_strings", of: ({ unwrapStrings }) => unwrapStrings },
  style: { pointer: "formatting/style", of: ({ format }) => format?.style },
  "max-chars": { pointer: "formatting/max_message_length", of: ({ format }) => format?.maxLength },
  "max-errors": { pointer: "formatting/max_errors_shown", of: ({ format }) => format?.maxErrors },
};

function layerOf({ options, origins }: LoadedConfig): SettingsLayer {
  return {
    texts(name) {
      const value = IN_FILE[name]?.of(options);
      return value === undefined ? undefined : [String(value)];
    },
    called(name) {
      const pointer = `/tools/validation/${IN_FILE[name]?.pointer ?? ""}`;
      const origin = origins[pointer];
      return origin === undefined
        ? pointer
        : `${pointer} in ${origin.file}:${origin.line}:${origin.column}`;
    },
  };
}
