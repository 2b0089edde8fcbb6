// The public API of @toolcontract/config.

export { ConfigError, loadConfig, MissingVariableError } from "./load/index.ts";
export type {
  CedarConfig,
  ConfigFault,
  ConfigOrigin,
  Environment,
  FileFaultCode,
  GuardrailsConfig,
  LoadedConfig,
  LoadOptions,
  Position,
  RuleConfig,
} from "./load/index.ts";
export type { LintConfig } from "./format/index.ts";
export { findConfigFiles } from "./files/index.ts";
export type { ConfigFile, FindOptions, Layer } from "./files/index.ts";
