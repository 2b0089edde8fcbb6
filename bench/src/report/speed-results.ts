import { availableParallelism, cpus } from "node:os";
import type { Table } from "../benchmark.ts";
import type { Origin } from "../origin.ts";

/** The machine of a run, as far as it explains times. */
export interface Machine {
  readonly processors: number;
  readonly model: string;
}

/** What one benchmark found. */
export interface BenchmarkResult {
  readonly name: string;
  readonly about: string;
  readonly tables: readonly Table[];
}

/** What a run of the speed benchmarks found, and where it comes from. */
export interface SpeedResults {
  readonly origin: Origin;
  readonly machine: Machine;
  readonly isQuick: boolean;
  readonly results: readonly BenchmarkResult[];
}

/** The machine that this process runs on. */
export function thisMachine(): Machine {
  return { processors: availableParallelism(), model: cpus()[0]?.model.trim() ?? "unknown" };
}
