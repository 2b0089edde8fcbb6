// The light entry: tells whether there is any configuration without loading what reads it.

export { findConfigFiles } from "./files/find-config-files.ts";
export type { FindOptions } from "./files/find-config-files.ts";
export type { ConfigFile, Layer } from "./files/config-file.ts";
