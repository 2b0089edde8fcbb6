import { meaningOf, type CallCounts, type MetricsSnapshot } from "@toolcontract/core";
import type { Page } from "./page.ts";
import { wrap } from "./text-layout.ts";

const COLUMNS = ["calls", "admitted", "rejected", "blocked", "repaired"] as const;
type Counts = Pick<CallCounts, (typeof COLUMNS)[number]>;

/** Renders the summed counts of contracts: a line for each tool, and the faults by code. */
export function renderMetrics(snapshots: readonly MetricsSnapshot[], page: Page): string {
  const tools = new Map<string, Counts>();
  const codes = new Map<string, number>();
  for (const { byTool, byCode } of snapshots) {
    for (const [tool, counts] of Object.entries(byTool)) {
      tools.set(tool, add(tools.get(tool), counts));
    }
    for (const [code, count] of Object.entries(byCode)) {
      codes.set(code, (codes.get(code) ?? 0) + count);
    }
  }
  const header = line("tool", COLUMNS, "failure rate");
  const total = [...tools.values()].reduce(add, undefined as Counts | undefined);
  return [
    page.paint("bold", header),
    ...[...tools].toSorted(byName).map(([tool, counts]) => countsLine(tool, counts)),
    ...(total ? [page.paint("bold", countsLine("total", total))] : []),
    "",
    ...wrap(`Faults: ${[...codes].toSorted(byName).map(nameCode).join(" · ")}`, page.width),
  ].join("\n");
}

function add(left: Counts | undefined, right: Counts): Counts {
  const sum = (column: keyof Counts): number => (left?.[column] ?? 0) + right[column];
  return {
    calls: sum("calls"),
    admitted: sum("admitted"),
    rejected: sum("rejected"),
    blocked: sum("blocked"),
    repaired: sum("repaired"),
  };
}

function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}

function nameCode([code, count]: readonly [string, number]): string {
  return `${count} ${(meaningOf(code) ?? code).toLowerCase()} (${code})`;
}

function countsLine(name: string, counts: Counts): string {
  const rate = (100 * (counts.rejected + counts.blocked)) / counts.calls;
  return line(
    name,
    COLUMNS.map((column) => String(counts[column])),
    `${rate.toFixed(0)} %`,
  );
}

function line(name: string, cells: readonly string[], rate: string): string {
  return name.padEnd(27) + cells.map((cell) => cell.padStart(10)).join("") + rate.padStart(14);
}
