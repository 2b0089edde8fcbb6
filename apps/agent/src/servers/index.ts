// MCP servers: started together, each behind a gate, and their tools as one set.
export { checkSchemas } from "./check-schemas.ts";
export { type Servers, startServers, type StartParts } from "./start-servers.ts";
