import type { TopLevelSpec } from "@toolcontract/plots";
import { type Curves, isCurves } from "../benchmark.ts";
import type { SystemResult } from "../recovery/measure/measure-system.ts";
import type { RecoveryResults } from "../recovery/report.ts";
import type { SpeedResults } from "./results.ts";

/** A plot of results. */
export interface Plot {
  /** The file name, next to the results. */
  readonly file: string;
  /** The alternative text. */
  readonly alt: string;
  /** What it shows, in a sentence. */
  readonly answer: string;
  readonly spec: TopLevelSpec;
}

/** Creates the plot of message sizes, if they were measured. */
export function messagePlots(recovery: RecoveryResults | undefined): readonly Plot[] {
  return recovery === undefined ? [] : [messageSizePlot(recovery.results)];
}

/** The plots that stand for the others on the page. */
const SHOWN = new Set(["argument-growth-1.svg", "mcp-load-1.svg"]);

/** Creates those of a benchmark's plots that the page shows. */
export function shownPlots(result: SpeedResults["results"][number]): readonly Plot[] {
  return plotsOf(result).filter(({ file }) => SHOWN.has(file));
}

/** Creates the plots of a benchmark's curves. */
export function plotsOf({ name, tables }: SpeedResults["results"][number]): readonly Plot[] {
  return tables.filter(isCurves).map((table, index) => {
    const file = `${name}-${index + 1}.svg`;
    return curvesPlot(file, `${table.title[0]?.toUpperCase()}${table.title.slice(1)}`, table);
  });
}

const WIDTH = 520;
const HEIGHT = 300;

/** How much each curve grows from its beginning to its end, or what is left of it. */
function growthOf({ axis, rows }: Curves): string {
  const names = [...new Set(rows.map(({ name }) => name))];
  const places = rows.map(({ at = 0 }) => at);
  const [least, most] = [Math.min(...places), Math.max(...places)];
  const number = (value: number): string =>
    value.toLocaleString("en", { maximumSignificantDigits: 2 });
  const ratios = names.map((name) => {
    const own = rows.filter((row) => row.name === name);
    return [name, (own.at(-1)?.value ?? 0) / (own[0]?.value ?? 1)] as const;
  });
  const falls = ratios.every(([, ratio]) => ratio < 1);
  const growths = ratios.map(([name, ratio]) =>
    falls ? `${name} to ${number(100 * ratio)} %` : `${name} ${number(ratio)} times`,
  );
  const verb = falls ? "fall" : "grow";
  return `From ${number(least)} to ${number(most)} (${axis}) these ${verb}: ${growths.join(", ")}.`;
}

/** A plot of curves on logarithmic axes, one line for each name. */
function curvesPlot(file: string, alt: string, curves: Curves): Plot {
  const { axis, rows } = curves;
  const values = rows.map(({ name, at, value }) => ({ name, at, value }));
  const [first] = rows;
  const names = [...new Set(rows.map(({ name }) => name))];
  return {
    file,
    alt,
    answer: growthOf(curves),
    spec: {
      $schema: "https://vega.github.io/schema/vega-lite/v6.json",
      background: "white",
      title: alt,
      width: WIDTH,
      height: HEIGHT,
      data: { values },
      mark: { type: "line", point: true },
      encoding: {
        x: { field: "at", type: "quantitative", scale: { type: "log" }, title: axis },
        y: {
          field: "value",
          type: "quantitative",
          scale: { type: "log" },
          title: first?.unit ?? "",
        },
        color: {
          field: "name",
          type: "nominal",
          sort: names,
          legend: { title: null, labelLimit: 0, orient: "bottom", columns: 1 },
        },
      },
    },
  };
}

/** How long the contract's messages are, and what shorter ones leave out. */
function sizesOf(results: readonly SystemResult[]): string {
  const medians = (style: string): readonly number[] =>
    results
      .filter(({ system }) => system.startsWith(`Toolcontract ${style}`))
      .map(({ figures }) => figures.tokens.median);
  const standard = Math.max(...medians("standard"));
  const shorter = results
    .filter(({ system }) => !system.startsWith("Toolcontract"))
    .filter(({ figures: { tokens } }) => tokens.median > 0 && tokens.median < standard)
    .map(({ figures }) => 100 * figures.explained);
  const [least = 0, most = 0] = [Math.min(...shorter), Math.max(...shorter)].map(Math.round);
  const left =
    shorter.length === 0
      ? "No other system answers in fewer."
      : `The ${shorter.length} systems that answer in fewer name the fix of ${least} to ${most} % of the faults.`;
  return `The contract's median message has ${standard} tokens, ${Math.max(...medians("compact"))} in the compact style. ${left}`;
}

/** A plot of the tokens of a rejection by system, from the median to the 95th percentile. */
function messageSizePlot(results: readonly SystemResult[]): Plot {
  const values = results
    .filter(({ figures }) => figures.tokens.median > 0)
    .map(({ system, schema, figures: { tokens } }) => ({
      name: `${system} (${schema})`,
      median: tokens.median,
      p95: tokens.p95,
      kind: system.startsWith("Toolcontract") ? "Toolcontract" : "others",
    }));
  const alt = "Tokens of a rejection: median and 95th percentile";
  return {
    file: "message-size.svg",
    alt,
    answer: sizesOf(results),
    spec: {
      $schema: "https://vega.github.io/schema/vega-lite/v6.json",
      background: "white",
      title: alt,
      width: 420,
      data: { values },
      encoding: {
        y: {
          field: "name",
          type: "nominal",
          sort: { field: "median" },
          title: null,
          axis: { labelLimit: 400 },
        },
        color: { field: "kind", type: "nominal", title: null, legend: { orient: "bottom" } },
      },
      layer: [
        {
          mark: { type: "rule", strokeWidth: 2 },
          encoding: {
            x: {
              field: "median",
              type: "quantitative",
              scale: { type: "log" },
              title: "o200k tokens",
            },
            x2: { field: "p95" },
          },
        },
        {
          mark: { type: "point", filled: true, size: 60, opacity: 1 },
          encoding: { x: { field: "median", type: "quantitative" } },
        },
      ],
    },
  };
}
