export { type ConfiguredServer, configuredServers, withoutComments } from "./client-config.ts";
export { inheritedFrom } from "./inherited.ts";
