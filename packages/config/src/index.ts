// The public API of @toolcontract/config.

export { loadConfig } from "./load/index.ts";
export type { LoadedConfig } from "./load/index.ts";
export type { LoadOptions } from "./load/index.ts";
export { findConfigFiles } from "./files/index.ts";
export type { FindOptions } from "./files/index.ts";
export type { ConfigFile, Layer } from "./files/index.ts";
export type { Environment } from "./files/index.ts";
export type { ConfigOrigin } from "./load/index.ts";
export { ConfigError, MissingVariableError } from "./faults/index.ts";
export type { ConfigFault, FileFaultCode, Position } from "./faults/index.ts";
