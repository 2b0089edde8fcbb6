import { resolve } from "node:path";
import { type ContractOptions, ToolContractError } from "@toolcontract/core";
import { type Expectations, isObject, isString, nearestName } from "@toolcontract/core/adapter";
import {
  ConfigError,
  type ConfigFault,
  inFileOrder,
  MissingVariableError,
  showPath,
} from "./config-fault.ts";
import { type ConfigFile, findConfigFiles, type FindOptions, homeFolder } from "../files/index.ts";
import { type OptionName, optionPointer, toOptions } from "../format/index.ts";
import type { ConfigOrigin } from "./config-origin.ts";
import type { GuardrailsConfig } from "./guardrails-config.ts";
import { mergeGuardrails } from "./merge-guardrails.ts";
import { readLayer, type SetValue } from "./read-layer.ts";
import type { Environment } from "./variables.ts";

/** Where to look for configuration files, and the variables that they may use. */
export interface LoadOptions extends FindOptions {
  /** Where variables are looked up after a layer's env file; `process.env` by default. */
  readonly env?: Environment | undefined;
}

/** The merged result of all configuration files. */
export interface LoadedConfig {
  /** The options that the files set, for `createContract`; an option that no file sets is left out and keeps core's default. */
  readonly options: ContractOptions;
  /** What the files say about guardrails, for `guardrailsFrom` of `@toolcontract/guardrails/config`. */
  readonly guardrails: GuardrailsConfig;
  /** Where each value was set, by its JSON Pointer in the file; rules and Cedar files by name instead of index. */
  readonly origins: Readonly<Record<string, ConfigOrigin>>;
  /** The files that were read, highest precedence first. */
  readonly files: readonly ConfigFile[];
  /** Warnings about keys that are not read although they look as if they were meant to be. */
  readonly advisories: readonly ConfigFault[];
}

const folderOrNone = {
  wants: "a folder, or false for none",
  fits: (value: unknown) => value === false || isString.fits(value),
};

const OPTIONS: Readonly<Record<keyof LoadOptions, Expectations[string]>> = {
  path: isString,
  cwd: isString,
  home: folderOrNone,
  system: folderOrNone,
  env: isObject,
};

/**
 * Loads `.agent/config.yml` from all layers; without any file the options are empty.
 *
 * @throws ConfigError with every fault of every file, if any value is wrong; a wrong value never falls back to a default.
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
  const own = mergeGuardrails(layers.map((layer) => layer.guardrails));
  return {
    options: toOptions(new Map([...values].map(([name, { value }]) => [name, value]))),
    guardrails: own.guardrails,
    origins: Object.fromEntries([...origins, ...own.origins]),
    files,
    advisories: layers.flatMap((layer) => layer.advisories),
  };
}

/** Merges option by option: each comes from the highest layer that sets it. */
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

/** Throws if an option is unknown or has the wrong type. */
function checkLoadOptions(options: LoadOptions): void {
  if (!isObject.fits(options)) {
    throw new ToolContractError("loadConfig: the options must be an object, such as { cwd }.");
  }
  const known: Expectations = OPTIONS;
  for (const [name, value] of Object.entries(options)) {
    const expectation = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!expectation) {
      const near = nearestName(name, Object.keys(known)) ?? Object.keys(known).join(", ");
      throw new ToolContractError(
        `loadConfig: there is no option '${name.slice(0, 64)}'. Use ${near}.`,
      );
    }
    if (value !== undefined && !expectation.fits(value)) {
      throw new ToolContractError(`loadConfig: option '${name}' must be ${expectation.wants}.`);
    }
  }
}
