export { drawPlot, type TopLevelSpec } from "./draw-plot.ts";
