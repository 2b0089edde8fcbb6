import { type Curves, isCurves, type Table } from "../benchmark.ts";
import { type Row } from "../row.ts";
import { shownNumber } from "../plain-table.ts";

/** Writes a benchmark's table: curves with a column for each point, others with a line for each row. */
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

/** Writes a Markdown table; the first column is text, the others are numbers. */
function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escaped).join(" | ")} |`;
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
  return [line(head), `| ${rule.join(" | ")} |`, ...rows.map(line)].join("\n");
}

function escaped(cell: string): string {
  return cell.replaceAll("|", "\\|");
}
