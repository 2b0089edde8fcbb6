import type { Runtime } from "./install-runtime.ts";
import type { Place } from "./place.ts";

/** One cell of the matrix: something to run on every Node. */
export interface Cell {
  readonly name: string;
  readonly run: (place: Place) => Promise<void>;
}

/** Packages that are installed together, and the cells that use them. */
export interface Project {
  readonly name: string;
  readonly packages: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly cells: readonly Cell[];
  /** The first Node that its framework runs on. @default 20 */
  readonly fromNode?: number;
  /** The other runtimes that its cells for ES modules run in. */
  readonly runsIn?: readonly Runtime[];
}
