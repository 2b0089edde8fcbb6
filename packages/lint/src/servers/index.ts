export { type ConfiguredServer, configuredServers, withoutComments } from "./client-config.ts";
export { connectHttp } from "./http.ts";
export { type Connection, listTools, RequestError, ServerError, withServer } from "./list-tools.ts";
export { connectStdio } from "./stdio.ts";
