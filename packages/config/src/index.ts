// The public API of @toolcontract/config.

export { ConfigError, loadConfig, MissingVariableError } from "./load/index.ts";
export type {
  ConfigFault,
  ConfigOrigin,
  Environment,
  FileFaultCode,
  LoadedConfig,
  LoadOptions,
  Position,
} from "./load/index.ts";
export { findConfigFiles } from "./files/index.ts";
export type { ConfigFile, FindOptions, Layer } from "./files/index.ts";
