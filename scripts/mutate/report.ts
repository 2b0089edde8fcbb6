import type { Mutant } from "./mutant.ts";

/** What became of a mutant. */
export interface Result {
  readonly mutant: Mutant;
  readonly outcome: "killed" | "survived" | "not reached" | "does not compile";
  /** What was to run; a kill ends it early. */
  readonly tests: readonly string[];
  /** The first test that failed, `timeout` or `crashed`. */
  readonly killer?: string;
}

const WIDTH = 100;

export function describeResult(
  { mutant, outcome, tests }: Result,
  done: number,
  all: number,
): string {
  const { file, line, kind, original, replacement } = mutant;
  const by = outcome === "survived" ? ` ${tests.length} test files` : "";
  return `${done}/${all} ${outcome}${by}: ${file}:${line} ${kind}\n  - ${short(original)}\n  + ${short(replacement)}`;
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > WIDTH ? `${line.slice(0, WIDTH)}…` : line;
}

/** A table for the files and one for the kinds, and the score of all. */
export function summarize(results: readonly Result[]): string {
  const timeouts = results.filter(({ killer }) => killer === "timeout" || killer === "crashed");
  const note = timeouts.length === 0 ? "" : `, ${timeouts.length} of them never ended or crashed`;
  const count = counted(results);
  return [
    table(
      "file",
      groups(results, ({ mutant }) => mutant.file),
    ),
    table(
      "kind",
      groups(results, ({ mutant }) => mutant.kind),
    ),
    `${count.killed} of ${count.valid} killed (${percent(count)})${note}`,
  ].join("\n\n");
}

interface Counts {
  /** All but those that do not compile. */
  readonly valid: number;
  readonly killed: number;
  readonly survived: number;
  readonly notReached: number;
}

function counted(results: readonly Result[]): Counts {
  const count = (outcome: Result["outcome"]): number =>
    results.filter((result) => result.outcome === outcome).length;
  return {
    valid: results.length - count("does not compile"),
    killed: count("killed"),
    survived: count("survived"),
    notReached: count("not reached"),
  };
}

function groups(
  results: readonly Result[],
  nameOf: (result: Result) => string,
): readonly (readonly [string, Counts])[] {
  const names = new Set(results.map(nameOf));
  return [...names]
    .toSorted()
    .map((name) => [name, counted(results.filter((result) => nameOf(result) === name))]);
}

function table(title: string, rows: readonly (readonly [string, Counts])[]): string {
  const cells = rows.map(([name, count]) => [
    name,
    ...[count.valid, count.killed, count.survived, count.notReached].map(String),
    percent(count),
  ]);
  const all = [[title, "mutants", "killed", "survived", "not reached", "score"], ...cells];
  const widths = all[0]?.map((_, column) =>
    Math.max(...all.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => {
        const width = widths?.[column] ?? 0;
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join("  ");
  return all.map(line).join("\n");
}

function percent({ killed, valid }: Counts): string {
  return valid === 0 ? "-" : `${((100 * killed) / valid).toFixed(1)} %`;
}
