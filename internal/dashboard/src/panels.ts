import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HOURS, MINUTES } from "./traffic.ts";
import type { Prometheus } from "./prometheus.ts";

/** Where the dashboard is, and what is recorded of it. */
export const FOLDER: string = join(import.meta.dirname, "../../../grafana");

/** A panel of the dashboard, as far as it says what is shown. */
export interface Panel {
  readonly title: string;
  readonly type: "timeseries" | "bargauge";
  readonly fieldConfig: { readonly defaults: { readonly unit: string } };
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}

/** What a panel shows: the points of each line, by the minute, or the last value of each bar. */
export interface Shown {
  readonly title: string;
  readonly queries: readonly string[];
  readonly series: readonly {
    readonly name: string;
    readonly points: readonly (readonly [minute: number, value: number])[];
  }[];
}

/** The panels of the dashboard, in their order. */
export function readPanels(): readonly Panel[] {
  const text = readFileSync(join(FOLDER, "toolcontract.json"), "utf8");
  return (JSON.parse(text) as { readonly panels: readonly Panel[] }).panels;
}

/** The queries of a panel with Grafana's variables filled in. */
export function queriesOf({ targets }: Panel): readonly string[] {
  return targets.map(({ expr }) =>
    expr
      .replaceAll("$__rate_interval", "5m")
      .replaceAll("$__range", `${HOURS}h`)
      .replaceAll("$tool", ".*"),
  );
}

/** In minutes. */
const STEP = 10;
/** In seconds, between two scrapes: versions of Prometheus differ in whether a range has the sample at its beginning. */
const BETWEEN = 30;

/** Asks for what a panel shows when the traffic that began at `start` has ended. */
export async function showPanel(panel: Panel, server: Prometheus, start: number): Promise<Shown> {
  const queries = queriesOf(panel);
  const first = start + BETWEEN;
  const end = first + 60 * MINUTES;
  const from = panel.type === "bargauge" ? end : first;
  const series = await Promise.all(
    queries.map(async (query, index) => {
      const found = await server.range(query, from, end, 60 * STEP);
      return found.map(({ labels, points }) => ({
        name: nameOf(panel.targets[index]?.legendFormat ?? "", labels),
        // What is divided by nothing has no value.
        points: points
          .filter(([, value]) => Number.isFinite(value))
          .map(([at, value]) => [(at - first) / 60, Number(value.toPrecision(4))] as const),
      }));
    }),
  );
  return { title: panel.title, queries, series: series.flat() };
}

function nameOf(format: string, labels: Readonly<Record<string, string>>): string {
  return format.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_, label: string) => labels[label] ?? "");
}
