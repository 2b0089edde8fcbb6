// `pnpm bench:report [results.json…]`: keeps results in docs/benchmarks and makes the page and its plots of them.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { benchmarksPage } from "./benchmarks-page.ts";
import { drawPlot } from "./plot.ts";
import { messagePlots, plotsOf } from "./plots.ts";
import { FOLDER, keptResults, PAGE } from "./results-files.ts";

mkdirSync(FOLDER, { recursive: true });
for (const file of process.argv.slice(2)) {
  const { isQuick } = JSON.parse(readFileSync(file, "utf8")) as { readonly isQuick?: boolean };
  if (isQuick === true) throw new Error(`${file} is of a quick run, whose times mean nothing.`);
  copyFileSync(file, join(FOLDER, basename(file)));
}

const { recovery, speed } = keptResults();
writeFileSync(PAGE, benchmarksPage(recovery, speed));
for (const plot of [...messagePlots(recovery), ...(speed?.results ?? []).flatMap(plotsOf)]) {
  writeFileSync(join(FOLDER, plot.file), await drawPlot(plot));
}
console.log(`Wrote ${PAGE}.`);
