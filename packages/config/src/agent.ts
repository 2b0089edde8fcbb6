// The configuration of a whole agent: sessions, models, servers and queues, and the contract.

export { loadAgentConfig, splitFrontMatter } from "./agent/index.ts";
export type {
  AgentConfig,
  AgentLoadOptions,
  HttpServerConfig,
  McpServerConfig,
  PromptParts,
  ProviderConfig,
  StdioServerConfig,
  TargetConfig,
} from "./agent/index.ts";
export type { ModelSettings, SessionConfig } from "./format/index.ts";
export { ConfigError, MissingVariableError } from "./load/index.ts";
export type { ConfigFault, ConfigOrigin, Environment, GuardrailsConfig } from "./load/index.ts";
export type { AgentPlaces, ConfigFile, Layer } from "./files/index.ts";
