import { dirname, join } from "node:path";
import type { ContractOptions } from "@toolcontract/core";
import { type OptionRules, isObject, isString } from "@toolcontract/core/adapter";
import { type ConfigFile, findConfigFiles, type FindOptions } from "../files/index.ts";
import { type LintConfig, TOOLS_FORMAT } from "../format/index.ts";
import { checkLoadOptions, folderOrNone } from "./check-options.ts";
import { configError } from "./config-fault.ts";
import type { ConfigOrigin } from "./config-origin.ts";
import type { GuardrailsConfig } from "./guardrails-config.ts";
import { commitFaults } from "./merge-guardrails.ts";
import { contractOf, lintOf } from "./merge-layers.ts";
import { readLayer } from "./read-layer.ts";
import type { Environment } from "./variables.ts";

/**
 * Where to look for configuration files, and the variables that they may use.
 *
 * @example
 * ```ts
 * const options: LoadOptions = { path: "agent.yml", env: { MODEL: "fast" } };
 * ```
 * @see packages/config/README.md
 */
export interface LoadOptions extends FindOptions {
  /**
   * Where variables are looked up after a layer's env file.
   *
   * @default process.env
   */
  readonly env?: Environment | undefined;
}

/** The merged result of all configuration files. */
export interface LoadedConfig {
  /** The options that the files set, for `createContract`; an option that no file sets is left out and keeps core's default. */
  readonly options: ContractOptions;
  /** What the files say about guardrails, for `guardrailsFrom` of `@toolcontract/guardrails/config`. */
  readonly guardrails: GuardrailsConfig;
  /** What the files say about `toolcontract lint`. */
  readonly lint: LintConfig;
  /** Where each value was set, by its JSON Pointer in the file; rules and Cedar files by name instead of index. */
  readonly origins: Readonly<Record<string, ConfigOrigin>>;
  /** The files that were read, highest precedence first. */
  readonly files: readonly ConfigFile[];
}

const OPTIONS: Readonly<Record<keyof LoadOptions, OptionRules[string]>> = {
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
 * @example
 * ```ts
 * const { options } = loadConfig();
 * const contract = createContract({ ...options, maxAttempts: 5 });
 * ```
 * @see packages/config/README.md
 */
export function loadConfig(options: LoadOptions = {}): LoadedConfig {
  checkLoadOptions("loadConfig", options, OPTIONS);
  const files = findConfigFiles(options);
  const environment = options.env ?? process.env;
  const layers = files.map((file) => {
    const envFiles = [join(dirname(file.path), ".env")];
    return readLayer(file, { format: TOOLS_FORMAT, environment, envFiles });
  });
  const faults = [...layers.flatMap((layer) => layer.faults), ...commitFaults(layers)];
  if (faults.length > 0) throw configError(faults, options);
  return {
    ...contractOf(layers),
    lint: lintOf(layers),
    files,
  };
}
