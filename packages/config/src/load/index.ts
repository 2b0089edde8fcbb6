export { type LoadOptions, type LoadedConfig, loadConfig } from "./load-config.ts";
export type { ConfigOrigin } from "./read-layer.ts";
