// The light entry: finds configuration files without loading what reads them.

export { findConfigFiles } from "./files/index.ts";
export type { ConfigFile, FindOptions, Layer } from "./files/index.ts";
