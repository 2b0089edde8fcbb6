/** Where a configuration file was found; the first of these wins. */
export type Layer = "explicit" | "cwd" | "project" | "home" | "system";

/** One configuration file. */
export interface ConfigFile {
  readonly layer: Layer;
  /** Absolute. */
  readonly path: string;
}

/** Where a configuration file stands below the folder that it is for. */
export const CONFIG_PATH: readonly string[] = [".agent", "config.yml"];
