// The reverse proxy in front of a server on Streamable HTTP.
export { isLoopback } from "./allowed-client.ts";
export type { ProxyOptions } from "./exchange.ts";
export type { Header } from "./headers.ts";
export { listen, type ListeningProxy } from "./proxy.ts";
export { createUpstream } from "./upstream.ts";
