export { type LoadOptions, type LoadedConfig, loadConfig } from "./load-config.ts";
export { checkLoadOptions, folderOrNone } from "./check-options.ts";
export { contractOf } from "./merge-layers.ts";
export { commitFaults } from "./merge-guardrails.ts";
export type { ConfigOrigin } from "./config-origin.ts";
export type { CedarConfig, GuardrailsConfig, RuleConfig } from "./guardrails-config.ts";
export {
  type LayerReading,
  missingVariable,
  originAt,
  projectOf,
  readLayer,
} from "./read-layer.ts";
export { type Environment, readText } from "./variables.ts";
export { writtenPointer } from "./value-faults.ts";
export {
  ConfigError,
  configError,
  type ConfigFault,
  type FileFaultCode,
  MissingVariableError,
  type Position,
  START,
  showFilePath,
} from "./config-fault.ts";
