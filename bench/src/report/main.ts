// `pnpm bench:report [results.json…]`: copies results to docs/benchmarks and writes the page and its plots.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { benchmarksPage } from "./benchmarks-page.ts";
import { drawPlot, messagePlots, plotsOf } from "./plots.ts";
import { FOLDER, keptResults, PAGE } from "./results.ts";

mkdirSync(FOLDER, { recursive: true });
for (const file of process.argv.slice(2)) {
  const { isQuick } = JSON.parse(readFileSync(file, "utf8")) as { readonly isQuick?: boolean };
  if (isQuick === true) throw new Error(`${file} is from a quick run: its times mean nothing.`);
  copyFileSync(file, join(FOLDER, basename(file)));
}

const { recovery, speed, later, real } = keptResults();
writeFileSync(PAGE, benchmarksPage(recovery, speed, later, real));
const measured = [speed, ...later].flatMap((run) => run?.results ?? []);
for (const plot of [...messagePlots(recovery), ...measured.flatMap(plotsOf)]) {
  writeFileSync(join(FOLDER, plot.file), await drawPlot(plot));
}
console.log(`Wrote ${PAGE}.`);
