import { type Curves } from "../benchmark.ts";
import type { Plot } from "./plot.ts";

const WIDTH = 520;
const HEIGHT = 300;

/** A plot of curves over several powers of ten: one line for each name. */
export function curvesPlot(file: string, alt: string, { axis, rows }: Curves): Plot {
  const values = rows.map(({ name, at, value }) => ({ name, at, value }));
  const [first] = rows;
  const names = [...new Set(rows.map(({ name }) => name))];
  return {
    file,
    alt,
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
