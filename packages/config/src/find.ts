// The light entry: tells whether there is any configuration without loading what reads it.

export { findConfigFiles } from "./files/index.ts";
export type { FindOptions } from "./files/index.ts";
export type { ConfigFile, Layer } from "./files/index.ts";
