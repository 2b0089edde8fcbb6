import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";

export type { TopLevelSpec };

/** Draws a plot as SVG. */
export async function drawPlot(spec: TopLevelSpec): Promise<string> {
  const view = new View(parse(compile(spec).spec), { renderer: "none" });
  const svg = await view.toSVG();
  view.finalize();
  return `${svg}\n`;
}
