import type { LoadedConfig } from "@toolcontract/config";
import type { ContractOptions } from "@toolcontract/core";
import { OPTIONS } from "@toolcontract/core/options";
import { InvalidConfig } from "./failure.ts";
import { type Flag, type FlagValue, OFF } from "./flag.ts";
import { FLAGS } from "./flags.ts";
import { readSetting, type SettingsLayer } from "./settings.ts";

/** What the configuration files set. */
export interface FileSettings {
  /** The settings that have a flag. */
  readonly layer: SettingsLayer;
  /** All options that the files set. */
  readonly options: ContractOptions;
  /** The files, in order of precedence. */
  readonly paths: readonly string[];
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
  const config = await loadFile(path, env);
  const { options, files } = config;
  return { layer: layerOf(config), options, paths: files.map((file) => file.path) };
}

async function loadFile(path: string | undefined, env: NodeJS.ProcessEnv): Promise<LoadedConfig> {
  const { ConfigError, loadConfig } = await import("@toolcontract/config");
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
      // A file's name for it is that of a contract.
      if (name === "mode") return options.mode === "observe" ? ["audit"] : undefined;
      const value = optionIn(options, FLAGS[name]);
      return value === undefined ? undefined : [`${value}`];
    },
    called(name) {
      const pointer = pointerOfFlag(FLAGS[name]);
      const origin = origins[pointer];
      return origin === undefined
        ? pointer
        : `${pointer} in ${origin.file}:${origin.line}:${origin.column}`;
    },
  };
}

/** The value that the files give a flag's option, as the flag itself would be written. */
function optionIn(options: ContractOptions, { option, inCode = {} }: Flag): FlagValue | undefined {
  if (option === undefined) return undefined;
  // The row of an option that has a flag takes only such values.
  const value = option.split(".").reduce<unknown>(memberNamed, options) as FlagValue | undefined;
  return Object.keys(inCode).find((word) => inCode[word] === value) ?? value;
}

function memberNamed(holder: unknown, name: string): unknown {
  return (holder as Readonly<Record<string, unknown>> | undefined)?.[name];
}

function pointerOfFlag({ option }: Flag): string {
  const key = option && OPTIONS[option].key;
  return `/tools/validation/${key?.replaceAll(".", "/") ?? ""}`;
}
