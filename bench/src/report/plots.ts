import { isCurves } from "../benchmark.ts";
import { curvesPlot } from "./curves-plot.ts";
import { messageSizePlot } from "./message-size-plot.ts";
import type { Plot } from "./plot.ts";
import type { RecoveryResults } from "../recovery/report.ts";
import type { SpeedResults } from "./speed-results.ts";

/** The plot of how large messages are, where that was measured. */
export function messagePlots(recovery: RecoveryResults | undefined): readonly Plot[] {
  return recovery === undefined ? [] : [messageSizePlot(recovery.results)];
}

/** The plots of the curves that one benchmark found. */
export function plotsOf({ name, tables }: SpeedResults["results"][number]): readonly Plot[] {
  return tables.filter(isCurves).map((table, index) => {
    const file = `${name}-${index + 1}.svg`;
    return curvesPlot(file, `${table.title[0]?.toUpperCase()}${table.title.slice(1)}`, table);
  });
}
