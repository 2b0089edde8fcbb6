import type { ConfigFault } from "@toolcontract/config";
import type { ContractOptions } from "@toolcontract/core";
import { OFF } from "./flag.ts";
import { readSetting, type SettingsLayer } from "./read-settings.ts";

/** What configuration files say. */
export interface FileSettings {
  /** The settings that are flags too. */
  readonly layer: SettingsLayer;
  /** All options that the files set. */
  readonly options: ContractOptions;
  /** Their paths, the one that wins first. */
  readonly paths: readonly string[];
  readonly advisories: readonly ConfigFault[];
}

/** Reads the configuration that holds here, if there is any; throws where one is wrong. */
export async function readConfigFiles(
  layers: readonly SettingsLayer[],
  env: NodeJS.ProcessEnv,
): Promise<FileSettings | undefined> {
  const path = readSetting("config", layers);
  if (path === OFF) return undefined;
  if (path === undefined) {
    // Most have none: then neither the YAML parser nor the contract is loaded before the server starts.
    const { findConfigFiles } = await import("@toolcontract/config/find");
    if (findConfigFiles().length === 0) return undefined;
  }
  const { loadFileSettings } = await import("./load-file-settings.ts");
  return loadFileSettings(path, env);
}
