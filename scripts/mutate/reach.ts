import { globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Mutant } from "./mutant.ts";
import { type Probes, withProbes } from "./probes.ts";
import { REACHED_FILE, readReached } from "./reached.ts";
import { RunnerProcess } from "./runner-process.ts";
import { SOURCES_FILE, type Sources } from "./sources.ts";

const NO_LIMIT = 2 ** 31 - 1;

/** Which test files reach what, and how long each takes. */
export interface Reach {
  readonly byProbe: ReadonlyMap<number, ReadonlySet<string>>;
  readonly milliseconds: ReadonlyMap<string, number>;
  /** They fail without any mutant, so they say nothing. */
  readonly failing: readonly string[];
}

/** The test files of the mutants' own packages, or of all. */
export function testsOf(mutants: readonly Mutant[], isEverywhere: boolean): readonly string[] {
  const packages = new Set(mutants.map(({ file }) => file.split("/").slice(0, 2).join("/")));
  return globSync(
    isEverywhere
      ? "{packages/*,apps/agent}/src/**/*.test.ts"
      : [...packages].map((name) => `${name}/src/**/*.test.ts`),
  );
}

/** Runs the tests once, with a probe at each place of a mutant. */
export async function measureReach(
  probes: Probes,
  files: readonly string[],
  tests: readonly string[],
  folder: string,
  workers: number,
): Promise<Reach> {
  const log = join(folder, "reached");
  writeFileSync(log, "");
  const environment = { [SOURCES_FILE]: join(folder, "probed.json"), MUTATE_WORKERS: `${workers}` };
  const runner = new RunnerProcess({ ...environment, [REACHED_FILE]: log });
  const sources: Sources = Object.fromEntries(
    files.map((file) => [resolve(file), withProbes(readFileSync(file, "utf8"), probes.of(file))]),
  );
  const ended = await runner.run({ sources, tests }, NO_LIMIT);
  if (typeof ended === "string") throw new Error(`The tests ${ended} without a mutant`);
  const suspects = ended.filter(({ failed }) => failed !== undefined).map(({ file }) => file);
  // Probes cost a little, which a test of costs may notice.
  const again =
    suspects.length === 0 ? [] : await runner.run({ sources: {}, tests: suspects }, NO_LIMIT);
  runner.stop();
  if (typeof again === "string") throw new Error(`The tests ${again} without a mutant`);
  return {
    byProbe: readReached(log),
    milliseconds: new Map(ended.map(({ file, milliseconds }) => [file, milliseconds])),
    failing: again.filter(({ failed }) => failed !== undefined).map(({ file }) => file),
  };
}

/** The test files that reach a mutant, the nearest first and then the quickest, as far as the time goes. */
export function planTests(
  { file, place }: Mutant,
  probe: number,
  siblings: readonly number[],
  { byProbe, milliseconds, failing }: Reach,
  budget: number,
): readonly string[] {
  const numbers = place.isStatic ? [probe, ...siblings] : [probe];
  const reaching = new Set(numbers.flatMap((number) => [...(byProbe.get(number) ?? [])]));
  if (reaching.size === 0) return [];
  // Where test files share modules, only the first one sees a file load, and the constants of it may be all that others use.
  const candidates = place.isStatic ? [...milliseconds.keys()] : [...reaching];
  const cost = (test: string): number => milliseconds.get(test) ?? 0;
  const isUnseen = (test: string): number => Number(!reaching.has(test));
  const ordered = candidates
    .filter((test) => milliseconds.has(test) && !failing.includes(test))
    .toSorted(
      (a, b) =>
        isUnseen(a) - isUnseen(b) || distance(a, file) - distance(b, file) || cost(a) - cost(b),
    );
  let total = 0;
  return ordered.filter((test, index) => {
    total += cost(test);
    return index === 0 || total <= budget;
  });
}

function distance(test: string, file: string): number {
  if (test === file.replace(/\.ts$/, ".test.ts")) return 0;
  if (dirname(test) === dirname(file)) return 1;
  return test.split("/")[1] === file.split("/")[1] ? 2 : 3;
}
