export { guardClient, type GuardClientOptions, type ToolClient } from "./guard-client.ts";
