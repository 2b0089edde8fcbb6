import type { SystemResult } from "../recovery/measure/measure-system.ts";
import type { Plot } from "./plot.ts";

/** A plot of the tokens that a model reads for a rejection, by system: from the median to the 95th percentile. */
export function messageSizePlot(results: readonly SystemResult[]): Plot {
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
