export { gateTransport } from "./gate-transport.ts";
export { guardClient, type GuardClientOptions, type ToolClient } from "./guard-client.ts";
