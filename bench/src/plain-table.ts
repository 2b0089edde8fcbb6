import type { Benchmark, Table } from "./benchmark.ts";
import type { Row } from "./row.ts";

/** Writes a benchmark's result as plain text. */
export function plainTables(benchmark: Benchmark, tables: readonly Table[]): string {
  const head = `── ${benchmark.name}: ${benchmark.about}`;
  return [head, ...tables.map(plainTable)].join("\n\n");
}

function plainTable({ title, rows, target }: Table): string {
  const cells = rows.map(cellsOf);
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const lines = cells.map(([name = "", value = "", unit = "", ratio = ""]) =>
    [
      name.padEnd(widths[0] ?? 0),
      value.padStart(widths[1] ?? 0),
      unit.padEnd(widths[2] ?? 0),
      ratio.padStart(widths[3] ?? 0),
    ]
      .join("  ")
      .trimEnd(),
  );
  const verdict = target ? [`target: ${target.words}: ${target.met ? "met" : "missed"}`] : [];
  return [title, ...[...lines, ...verdict].map((line) => `  ${line}`)].join("\n");
}

function cellsOf({ name, value, unit, ratio, at }: Row): readonly string[] {
  return [
    at === undefined ? name : `${name}, ${shownNumber(at)}`,
    shownNumber(value),
    unit,
    ratio === undefined ? "" : `× ${ratio.toFixed(2)}`,
  ];
}

/** Formats a number with as many digits as are worth reading. */
export function shownNumber(value: number): string {
  const digits = Number.isInteger(value) || value >= 1_000 ? 0 : value < 10 ? 2 : 1;
  return Number(value.toFixed(digits)).toLocaleString("en-US", {
    minimumFractionDigits: digits,
  });
}
