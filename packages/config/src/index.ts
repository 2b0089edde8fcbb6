// The public surface of @toolcontract/config. Named exports only.

export { loadConfig } from "./load-config.ts";
export type { LoadedConfig } from "./load-config.ts";
export type { LoadOptions } from "./load-options.ts";
export { findConfigFiles } from "./files/find-config-files.ts";
export type { FindOptions } from "./files/find-config-files.ts";
export type { ConfigFile, Layer } from "./files/config-file.ts";
export type { Environment } from "./files/layer-variables.ts";
export type { ConfigOrigin } from "./layers/set-values.ts";
export { ConfigError, MissingVariableError } from "./config-error.ts";
export type { ConfigFault, FileFaultCode, Position } from "./config-fault.ts";
