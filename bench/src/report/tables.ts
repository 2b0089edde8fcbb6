import { type Curves, isCurves, type Row, type Table } from "../benchmark.ts";
import { shownNumber } from "../plain-table.ts";
import { markdownTable } from "./markdown-table.ts";

/** Writes a table of a benchmark: curves with a column for each point, others with a line for each row. */
export function speedTable(table: Table): string {
  const body = isCurves(table) ? curvesTable(table) : rowsTable(table.rows);
  const { title, target } = table;
  const verdict = target && `Target: ${target.words}: **${target.met ? "met" : "missed"}**.`;
  return [`${title}:`, body, ...(verdict === undefined ? [] : [verdict])].join("\n\n");
}

function rowsTable(rows: readonly Row[]): string {
  const [first] = rows;
  const hasRatio = rows.some(({ ratio }) => ratio !== undefined);
  const head = ["", first?.unit ?? "", ...(hasRatio ? ["times the first", "quartiles"] : [])];
  return markdownTable(
    head,
    rows.map(({ name, value, ratio, spread }) => [
      name,
      shownNumber(value),
      ...(hasRatio ? [shownRatio(ratio), spread?.map(shownRatio).join(" to ") ?? ""] : []),
    ]),
  );
}

function curvesTable({ axis, rows }: Curves): string {
  const names = [...new Set(rows.map(({ name }) => name))];
  const places = [...new Set(rows.map(({ at }) => at ?? Number.NaN))];
  const valueAt = (name: string, place: number): string => {
    const row = rows.find((one) => one.name === name && one.at === place);
    return row === undefined ? "" : shownNumber(row.value);
  };
  return markdownTable(
    [`${rows[0]?.unit ?? ""}, by ${axis}`, ...places.map(shownNumber)],
    names.map((name) => [name, ...places.map((place) => valueAt(name, place))]),
  );
}

function shownRatio(ratio: number | undefined): string {
  return ratio === undefined ? "" : ratio.toFixed(2);
}
