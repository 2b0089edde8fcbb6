import type { Corpus } from "./corpus.ts";
import type { RaceLength } from "./race.ts";

/** What every benchmark runs on. */
export interface Setting {
  readonly corpora: readonly Corpus[];
  readonly length: RaceLength;
  /** Small sizes and few repetitions: to see that everything runs. */
  readonly isQuick: boolean;
  /** Many more repetitions than a ratio needs: to see what only time shows. */
  readonly isLong?: boolean;
}

/** One line of a result. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Times the first line of the table, where they are alternatives. */
  readonly ratio?: number;
  /** The quartiles of that ratio over the rounds. */
  readonly spread?: readonly [lower: number, upper: number];
  /** Where the line is a point of a curve: its place on the table's axis. */
  readonly at?: number;
}

/** What a benchmark found on one corpus. */
export interface Table {
  readonly title: string;
  readonly rows: readonly Row[];
  /** Where the lines are the points of curves: what `at` counts. */
  readonly axis?: string;
  /** What was to be reached, in words, and whether it was. */
  readonly target?: { readonly words: string; readonly met: boolean };
}

/** One question about speed or size. */
export interface Benchmark {
  readonly name: string;
  /** What is measured, and against what. */
  readonly about: string;
  run(setting: Setting): Promise<readonly Table[]>;
}

/** A table with curves, one for each name of a row. */
export type Curves = Table & { readonly axis: string };

/** Whether the rows of a table are the points of curves. */
export function isCurves(table: Table): table is Curves {
  return table.axis !== undefined;
}

/** Runs a question once for each corpus, one after the other: at the same time they would disturb each other. */
export async function onEach<T>(
  corpora: readonly T[],
  ask: (corpus: T) => Promise<Table> | Table,
): Promise<readonly Table[]> {
  const tables: Table[] = [];
  for (const corpus of corpora) tables.push(await ask(corpus));
  return tables;
}

/** The row of that name in a table; the benchmark itself wrote it. */
export function rowNamed(rows: readonly Row[], name: string): Row {
  const row = rows.find((candidate) => candidate.name === name);
  if (row === undefined) throw new Error(`There is no row '${name}'.`);
  return row;
}
