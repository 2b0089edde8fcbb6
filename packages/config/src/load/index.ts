export { type LoadOptions, type LoadedConfig, loadConfig } from "./load-config.ts";
export type { ConfigOrigin } from "./read-layer.ts";
export type { Environment } from "./variables.ts";
export {
  ConfigError,
  type ConfigFault,
  type FileFaultCode,
  MissingVariableError,
  type Position,
  formatFault,
  showPath,
} from "./config-fault.ts";
