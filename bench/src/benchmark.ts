import type { Corpus } from "./corpus.ts";
import type { RaceLength } from "./race.ts";
import type { Row } from "./row.ts";

/** The input of every benchmark. */
export interface Setting {
  readonly corpora: readonly Corpus[];
  readonly length: RaceLength;
  /** Small sizes and few repetitions, to see that everything runs. */
  readonly isQuick: boolean;
  /** Many more repetitions than a ratio needs, to see slow changes such as leaks. */
  readonly isLong?: boolean;
}

/** What a benchmark found on one corpus. */
export interface Table {
  readonly title: string;
  readonly rows: readonly Row[];
  /** What `at` counts, if the rows are points of curves. */
  readonly axis?: string;
  /** The target in words, and whether it was met. */
  readonly target?: { readonly words: string; readonly met: boolean };
}

/** One question about speed or size. */
export interface Benchmark {
  readonly name: string;
  /** What is measured, and against what. */
  readonly about: string;
  run(setting: Setting): Promise<readonly Table[]>;
}

/** A table of curves, one for each row name. */
export type Curves = Table & { readonly axis: string };

/** Whether the rows of a table are points of curves. */
export function isCurves(table: Table): table is Curves {
  return table.axis !== undefined;
}

/** Measures each corpus in sequence: in parallel they would disturb each other. */
export async function onEach<T>(
  corpora: readonly T[],
  ask: (corpus: T) => Promise<Table> | Table,
): Promise<readonly Table[]> {
  const tables: Table[] = [];
  for (const corpus of corpora) tables.push(await ask(corpus));
  return tables;
}

/** Finds a row by its name; throws if there is none. */
export function rowNamed(rows: readonly Row[], name: string): Row {
  const row = rows.find((candidate) => candidate.name === name);
  if (row === undefined) throw new Error(`There is no row '${name}'.`);
  return row;
}
