import type { TopLevelSpec } from "@toolcontract/plots";
import type { Panel, Shown } from "./panels.ts";
import { HOURS } from "./traffic.ts";

const AXES: Readonly<Record<string, { readonly title: string; readonly format: string }>> = {
  cps: { title: "calls a second", format: ",~r" },
  percentunit: { title: "share", format: "%" },
  s: { title: "seconds", format: "~s" },
};
const COUNT = { title: "count", format: ",~r" };
type Part = Extract<TopLevelSpec, { concat: unknown }>["concat"][number];
const SIZE = { width: 220, height: 130 };

/** Draws what the panels show, two beside each other as on the dashboard. */
export function dashboardPlot(panels: readonly Panel[], shown: readonly Shown[]): TopLevelSpec {
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    background: "white",
    config: { aria: false, axis: { labelFontSize: 12 }, legend: { labelFontSize: 12, columns: 2 } },
    columns: 2,
    concat: panels.map((panel, index) =>
      (panel.type === "bargauge" ? bars : lines)(panel, shown[index]),
    ),
    resolve: { scale: { color: "independent" } },
  };
}

function lines({ title, fieldConfig }: Panel, shown?: Shown): Part {
  const values = (shown?.series ?? []).flatMap(({ name, points }) =>
    points.map(([minute, value]) => ({ name, hour: minute / 60, value })),
  );
  const { title: unit, format } = AXES[fieldConfig.defaults.unit] ?? COUNT;
  return {
    ...SIZE,
    title,
    data: { values },
    mark: { type: "line" },
    encoding: {
      x: {
        field: "hour",
        type: "quantitative",
        title: "hours",
        scale: { domain: [0, HOURS] },
        axis: { tickCount: HOURS },
      },
      y: {
        field: "value",
        type: "quantitative",
        title: unit,
        axis: { format, tickCount: 4 },
        scale: { zero: true },
      },
      color: {
        field: "name",
        type: "nominal",
        title: null,
        legend: { orient: "bottom", labelLimit: 0 },
      },
    },
  };
}

function bars({ title }: Panel, shown?: Shown): Part {
  const values = (shown?.series ?? []).map(({ name, points }) => ({
    name,
    value: points.at(-1)?.[1],
  }));
  return {
    ...SIZE,
    title,
    data: { values },
    mark: { type: "bar" },
    encoding: {
      y: {
        field: "name",
        type: "nominal",
        title: null,
        sort: "-x",
        axis: { labelFontSize: 11, labelLimit: 0 },
      },
      x: { field: "value", type: "quantitative", title: `in ${HOURS} hours` },
    },
  };
}
