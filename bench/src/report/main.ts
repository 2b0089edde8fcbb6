// `pnpm bench:report [results.json…]`: copies results to docs/benchmarks, writes the page and its plots, and all tables and plots into
// .artifacts/benchmarks.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { drawPlot } from "@toolcontract/plots";
import { allPlots, allTables } from "./all-tables.ts";
import { benchmarksPage } from "./benchmarks-page.ts";
import { messagePlots, shownPlots } from "./plots.ts";
import { FOLDER, keptResults, PAGE, resultsOf } from "./results.ts";

const ALL = resolve(".artifacts/benchmarks");

for (const folder of [FOLDER, ALL]) mkdirSync(folder, { recursive: true });
for (const file of process.argv.slice(2)) {
  const { isQuick } = JSON.parse(readFileSync(file, "utf8")) as { readonly isQuick?: boolean };
  if (isQuick === true) throw new Error(`${file} is from a quick run: its times mean nothing.`);
  copyFileSync(file, join(FOLDER, basename(file)));
}

const results = keptResults();
writeFileSync(PAGE, benchmarksPage(results));
writeFileSync(join(ALL, "tables.md"), allTables(results));
const shown = [...messagePlots(results.recovery), ...resultsOf(results).flatMap(shownPlots)];
for (const plot of shown) writeFileSync(join(FOLDER, plot.file), await drawPlot(plot.spec));
for (const plot of allPlots(results))
  writeFileSync(join(ALL, plot.file), await drawPlot(plot.spec));
console.log(`Wrote ${PAGE}, and all tables and plots into ${ALL}.`);
