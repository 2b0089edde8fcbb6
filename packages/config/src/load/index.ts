export { type LoadOptions, type LoadedConfig, loadConfig } from "./load-config.ts";
export type { ConfigOrigin } from "./config-origin.ts";
export type { CedarConfig, GuardrailsConfig, RuleConfig } from "./guardrails-config.ts";
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
