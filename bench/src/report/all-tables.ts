import { recoveryReport } from "../recovery/report.ts";
import { command, placeOf } from "./benchmarks-page.ts";
import { messagePlots, type Plot, plotsOf } from "./plots.ts";
import { type BenchmarkResult, type Results, resultsOf } from "./results.ts";
import { speedTable } from "./tables.ts";

/** Every table and plot of the results, which are too many for a page. */
export function allTables(results: Results): string {
  const { recovery, speed } = results;
  const packages = Object.entries(speed?.origin.versions ?? {});
  const parts = [
    "# All results",
    ...(recovery === undefined
      ? []
      : ["## What the message carries", command("bench:recovery"), recoveryReport(recovery)]),
    ...resultsOf(results).flatMap(benchmarkPart),
    "## Versions",
    `${packages.map(([name, version]) => `${name} ${version}`).join(", ")}.`,
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The plots of all results. */
export function allPlots(results: Results): readonly Plot[] {
  return [...messagePlots(results.recovery), ...resultsOf(results).flatMap(plotsOf)];
}

function benchmarkPart(result: BenchmarkResult): readonly string[] {
  const { name, about, tables, origin, machine } = result;
  return [
    `## ${name}`,
    `What is measured: ${about}.`,
    command(`bench:speed ${name}`),
    `${placeOf(origin, machine)}.`,
    ...plotsOf(result).map(({ alt, answer, file }) => `${answer}\n\n![${alt}](${file})`),
    ...tables.map(speedTable),
  ];
}
