import { existsSync, globSync, readFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { join, resolve } from "node:path";
import type { Table } from "../benchmark.ts";
import type { Origin } from "../origin.ts";
import type { RealResults } from "../real/peer-table.ts";
import type { RecoveryResults } from "../recovery/report.ts";

/** What matters for times about the machine of a run. */
export interface Machine {
  readonly processors: number;
  readonly model: string;
}

/** What one benchmark found. */
export interface Measured {
  readonly name: string;
  readonly about: string;
  readonly tables: readonly Table[];
}

/** What one benchmark found, of which commit and where. */
export interface BenchmarkResult extends Measured {
  readonly origin: Origin;
  readonly machine: Machine;
}

/** The results of a run of the speed benchmarks, and their origin. */
export interface SpeedResults {
  readonly origin: Origin;
  readonly machine: Machine;
  readonly isQuick: boolean;
  readonly results: readonly Measured[];
}

/** Describes the machine this process runs on. */
export function thisMachine(): Machine {
  return { processors: availableParallelism(), model: cpus()[0]?.model.trim() ?? "unknown" };
}

const DOCS = resolve(import.meta.dirname, "../../../docs");

/** The page about the results. */
export const PAGE: string = join(DOCS, "benchmarks.md");

/** The folder of the results and the plots. */
export const FOLDER: string = join(DOCS, "benchmarks");

/** Results that a page is written from; undefined for a part without any. */
export interface Results {
  readonly recovery?: RecoveryResults | undefined;
  readonly speed?: SpeedResults | undefined;
  /** Runs of some benchmarks alone, which count in place of those in the whole run. */
  readonly later?: readonly SpeedResults[];
  readonly real?: RealResults | undefined;
}

/** Reads the committed results. */
export function keptResults(): Results {
  return {
    recovery: read("recovery.json") as RecoveryResults | undefined,
    speed: read("speed.json") as SpeedResults | undefined,
    later: globSync("speed-*.json", { cwd: FOLDER })
      .toSorted()
      .map((name) => read(name) as SpeedResults),
    real: read("real.json") as RealResults | undefined,
  };
}

/** The newest result of each speed benchmark. */
export function resultsOf({ speed, later = [] }: Results): readonly BenchmarkResult[] {
  const newer = later.flatMap(withOrigin);
  const whole = speed === undefined ? [] : withOrigin(speed);
  return [...whole.filter(({ name }) => newer.every((one) => one.name !== name)), ...newer];
}

function withOrigin({ origin, machine, results }: SpeedResults): readonly BenchmarkResult[] {
  return results.map((result) => ({ ...result, origin, machine }));
}

function read(name: string): unknown {
  const file = join(FOLDER, name);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
