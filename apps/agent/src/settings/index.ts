export type {
  AgentConfig,
  HttpServerConfig,
  McpServerConfig,
  ProviderConfig,
  StdioServerConfig,
  TargetConfig,
} from "./agent-config.ts";
export type { ModelSettings } from "./model-settings.ts";
export { splitFrontMatter } from "./front-matter.ts";
export { type AgentLoadOptions, loadAgentConfig } from "./load-agent-config.ts";
export { SESSION_FILE_OPTIONS } from "./session-table.ts";
