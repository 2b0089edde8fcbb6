// The reverse proxy in front of a server on Streamable HTTP.
export { isLoopback, type RefusalOf, refusalBy } from "./allowed-client.ts";
export type { ProxyOptions } from "./exchange.ts";
export { type Header, isForwarded } from "./headers.ts";
export { probe } from "./probe.ts";
export { listen, type ListeningProxy } from "./proxy.ts";
export { createUpstream } from "./upstream.ts";
