// The public API of @toolcontract/config.

export { loadConfig } from "./load/index.ts";
export type { ConfigOrigin, LoadedConfig, LoadOptions } from "./load/index.ts";
export { findConfigFiles } from "./files/index.ts";
export type { ConfigFile, Environment, FindOptions, Layer } from "./files/index.ts";
export { ConfigError, MissingVariableError } from "./faults/index.ts";
export type { ConfigFault, FileFaultCode, Position } from "./faults/index.ts";
