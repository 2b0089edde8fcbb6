export { isLoopback } from "./allowed-client.ts";
export type { Header } from "./headers.ts";
export type { ProxyOptions } from "./exchange.ts";
export { listen, type ListeningProxy } from "./proxy.ts";
export { createUpstream } from "./upstream.ts";
