import { readFileSync } from "node:fs";
import { join } from "node:path";
import { drawPlot } from "@toolcontract/plots";
import { describe, expect, test } from "vitest";
import { FOLDER, queriesOf, readPanels, type Shown } from "./panels.ts";
import { dashboardPlot } from "./plot.ts";
import { WHY_NO_PROMETHEUS } from "./prometheus.ts";
import { recordPanels } from "./record-panels.ts";

const panels = readPanels();
const recorded = JSON.parse(
  readFileSync(join(FOLDER, "recorded.json"), "utf8"),
) as readonly Shown[];

describe("what is recorded of the dashboard; `pnpm dashboard:record` writes it", () => {
  test("is of the panels and queries that it has", () => {
    expect(recorded.map(({ title, queries }) => [title, queries])).toEqual(
      panels.map((panel) => [panel.title, queriesOf(panel)]),
    );
  });

  test.each(recorded)("$title shows data", ({ queries, series }) => {
    expect(series.length).toBeGreaterThanOrEqual(queries.length);
    for (const { name, points } of series) {
      expect(name).toMatch(/^\w/);
      expect(Math.max(...points.map(([, value]) => value))).toBeGreaterThan(0);
    }
  });

  test("is what the picture shows", async () => {
    const svg = await drawPlot(dashboardPlot(panels, recorded));
    for (const { title } of panels) expect(svg).toContain(title);
    expect(readFileSync(join(FOLDER, "recorded.svg"), "utf8")).toBe(svg);
  });

  test.skipIf(WHY_NO_PROMETHEUS)("is what a real Prometheus answers", async () => {
    // How long a check takes is different each time.
    const steady = (shown: readonly Shown[]): readonly Shown[] =>
      shown.map(({ series, ...panel }) => ({
        ...panel,
        series: panel.title.startsWith("Time of") ? [] : series,
      }));
    expect(steady(await recordPanels())).toEqual(steady(recorded));
  });
});
