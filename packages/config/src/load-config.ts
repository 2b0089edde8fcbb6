import { resolve } from "node:path";
import type { ContractOptions } from "@toolcontract/core";
import { ConfigError, MissingVariableError } from "./config-error.ts";
import { type ConfigFault, inFileOrder } from "./config-fault.ts";
import type { ConfigFile } from "./files/config-file.ts";
import { findConfigFiles } from "./files/find-config-files.ts";
import { homeFolder } from "./files/home-folder.ts";
import type { OptionName } from "./format/option-table.ts";
import { optionPointer } from "./format/pointer.ts";
import { toOptions } from "./format/to-options.ts";
import { readLayer } from "./layers/read-layer.ts";
import type { ConfigOrigin, SetValue } from "./layers/set-values.ts";
import { checkLoadOptions, type LoadOptions } from "./load-options.ts";
import { showPath } from "./show-path.ts";

/** What the configuration files say together. */
export interface LoadedConfig {
  /** What the files set, for createContract; what no file sets is left out and has core's default. */
  readonly options: ContractOptions;
  /** Where each value was set, by its JSON Pointer in the file. */
  readonly origins: Readonly<Record<string, ConfigOrigin>>;
  /** The files that were read, the one that wins first. */
  readonly files: readonly ConfigFile[];
  /** Keys that are read by nobody here although they look as if they were meant to be. */
  readonly advisories: readonly ConfigFault[];
}

/**
 * Loads `.agent/config.yml` in all its layers; without any file the options are empty.
 *
 * @throws ConfigError with every fault of every file, where one is wrong; no default stands in for it.
 */
export function loadConfig(options: LoadOptions = {}): LoadedConfig {
  checkLoadOptions(options);
  const files = findConfigFiles(options);
  const layers = files.map((file) => readLayer(file, options.env ?? process.env));
  const faults = layers.flatMap((layer) => layer.faults);
  if (faults.length > 0) throw configError(faults, options);
  const values = merged(layers.map((layer) => layer.values));
  const origins = [...values.values()].map(
    ({ option, origin }) => [optionPointer(option), origin] as const,
  );
  return {
    options: toOptions(new Map([...values].map(([name, { value }]) => [name, value]))),
    origins: Object.fromEntries(origins),
    files,
    advisories: layers.flatMap((layer) => layer.advisories),
  };
}

/** Merges deeply: every option comes from the highest layer that sets it. */
function merged(layers: readonly (readonly SetValue[])[]): ReadonlyMap<OptionName, SetValue> {
  const upwards = layers.toReversed().flat();
  return new Map(upwards.map((value) => [value.option.name, value]));
}

function configError(faults: readonly ConfigFault[], options: LoadOptions): ConfigError {
  const cwd = resolve(options.cwd ?? process.cwd());
  const home = options.home === false ? undefined : (options.home ?? homeFolder());
  const show = (file: string): string => showPath(file, cwd, home);
  const isMissing = faults.some(({ code }) => code === "missing-variable");
  const Kind = isMissing ? MissingVariableError : ConfigError;
  return new Kind(inFileOrder(faults), show);
}
