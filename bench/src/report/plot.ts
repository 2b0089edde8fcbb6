import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";

/** A picture of results. */
export interface Plot {
  /** Its file, beside the results. */
  readonly file: string;
  /** What it shows, for those who do not see it. */
  readonly alt: string;
  readonly spec: TopLevelSpec;
}

/** Draws a plot as SVG. */
export async function drawPlot({ spec }: Plot): Promise<string> {
  const view = new View(parse(compile(spec).spec), { renderer: "none" });
  const svg = await view.toSVG();
  view.finalize();
  return `${svg}\n`;
}
