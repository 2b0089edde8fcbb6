import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { RecoveryResults } from "../recovery/report.ts";
import type { SpeedResults } from "./speed-results.ts";

const DOCS = resolve(import.meta.dirname, "../../../docs");

/** The page that is made of the results. */
export const PAGE: string = join(DOCS, "benchmarks.md");

/** The folder of the results that the page is made of, and of its plots. */
export const FOLDER: string = join(DOCS, "benchmarks");

/** Reads the results that are kept; undefined where a half has none yet. */
export function keptResults(): {
  readonly recovery: RecoveryResults | undefined;
  readonly speed: SpeedResults | undefined;
} {
  return {
    recovery: read("recovery.json") as RecoveryResults | undefined,
    speed: read("speed.json") as SpeedResults | undefined,
  };
}

function read(name: string): unknown {
  const file = join(FOLDER, name);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
