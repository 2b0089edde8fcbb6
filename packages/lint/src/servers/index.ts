export { type ConfiguredServer, configuredServers, withoutComments } from "./client-config.ts";
export { connectHttp } from "./http.ts";
export { listTools, ServerError } from "./list-tools.ts";
export { connectStdio } from "./stdio.ts";
