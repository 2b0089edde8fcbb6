import type { Layer } from "../files/index.ts";
import type { Position } from "./config-fault.ts";

/** Where a value was set. */
export interface ConfigOrigin extends Position {
  readonly layer: Layer;
  /** Absolute. */
  readonly file: string;
  /** The string in the file, if the value was expanded from variables. */
  readonly template?: string;
}
