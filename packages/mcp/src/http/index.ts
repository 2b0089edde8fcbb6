// The reverse proxy in front of a server on Streamable HTTP.
export { unusedProxy } from "./forward-proxy.ts";
export { isLoopback, refusalBy } from "./allowed-client.ts";
export type { ProxyOptions } from "./exchange.ts";
export { type Header, isForwarded } from "./headers.ts";
export { probe } from "./probe.ts";
export { listen, type ListeningProxy } from "./proxy.ts";
export { createUpstream, type Upstream } from "./upstream.ts";
