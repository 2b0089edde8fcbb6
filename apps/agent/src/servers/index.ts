// MCP servers: started together, each behind a gate, and their tools as one set.
export { type Servers, startServers, type StartParts } from "./start-servers.ts";
export type { CombinedTools, ServerLimits } from "./combine-tools.ts";
