export { type ConfiguredServer, configuredServers, withoutComments } from "./client-config.ts";
