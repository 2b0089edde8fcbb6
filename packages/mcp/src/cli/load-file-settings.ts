import { ConfigError, loadConfig, type LoadedConfig } from "@toolcontract/config";
import type { ContractOptions } from "@toolcontract/core";
import type { FileSettings } from "./config-file.ts";
import type { SettingsLayer } from "./read-settings.ts";
import type { FlagName } from "./settings.ts";
import { InvalidConfig } from "./usage-error.ts";

interface InFile {
  readonly pointer: string;
  readonly of: (options: ContractOptions) => string | number | boolean | undefined;
}

/** Which setting of a file stands for a flag. */
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

/** Loads the files; throws an InvalidConfig with every fault of all of them. */
export function loadFileSettings(path: string | undefined, env: NodeJS.ProcessEnv): FileSettings {
  const config = load(path, env);
  const { options, files, advisories } = config;
  return { layer: layerOf(config), options, paths: files.map((file) => file.path), advisories };
}

function load(path: string | undefined, env: NodeJS.ProcessEnv): LoadedConfig {
  try {
    return loadConfig({ path, env });
  } catch (thrown) {
    if (thrown instanceof ConfigError) throw new InvalidConfig(thrown.message);
    throw thrown;
  }
}

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
