import { readFileSync } from "node:fs";
import { join } from "node:path";
import { drawPlot } from "@toolcontract/plots";
import { describe, expect, test } from "vitest";
import type { Table } from "../benchmark.ts";
import { allTables } from "./all-tables.ts";
import { benchmarksPage } from "./benchmarks-page.ts";
import { messagePlots, plotsOf, shownPlots } from "./plots.ts";
import { FOLDER, keptResults, PAGE, resultsOf, type SpeedResults } from "./results.ts";

const TIMEOUT = 60_000;
const curves: Table = {
  title: "valid calls",
  axis: "bytes of arguments",
  rows: [100, 10_000].flatMap((at) =>
    ["ajv", "contract"].map((name, index) => ({ name, at, value: at * (index + 1), unit: "µs" })),
  ),
};
const alternatives: Table = {
  title: "one call",
  rows: [
    { name: "ajv", value: 1.5, unit: "µs a call", ratio: 1, spread: [1, 1] },
    { name: "a | b", value: 3, unit: "µs a call", ratio: 2, spread: [1.9, 2.25] },
  ],
  target: { words: "at most 1.2 times", met: false },
};
const speed: SpeedResults = {
  origin: {
    commit: "0123456789abcdef",
    isChanged: false,
    node: "v24.0.0",
    versions: { ajv: "8.0.0" },
  },
  machine: { processors: 4, model: "A processor" },
  isQuick: false,
  results: [{ name: "growth", about: "a call", tables: [curves, alternatives] }],
};

describe("what is kept", () => {
  const results = keptResults();

  test("docs/benchmarks.md is what the generator makes of the results beside it", () => {
    expect(readFileSync(PAGE, "utf8")).toBe(benchmarksPage(results));
  });

  test("the plots are there and are what the results give", { timeout: TIMEOUT }, async () => {
    const plots = [...messagePlots(results.recovery), ...resultsOf(results).flatMap(shownPlots)];
    expect(plots).toHaveLength(3);
    for (const plot of plots) {
      expect(readFileSync(join(FOLDER, plot.file), "utf8")).toBe(await drawPlot(plot.spec));
    }
  });

  test("results name versions and commit, and of the machine only processors and model", () => {
    const { speed: kept } = results;
    expect(Object.keys(kept?.machine ?? {})).toEqual(["processors", "model"]);
    expect(kept?.origin.commit).toMatch(/^[0-9a-f]{40}$/);
    expect(Object.keys(kept?.origin.versions ?? {})).toContain("ajv");
    expect(kept?.isQuick).toBe(false);
  });
});

describe("all tables", () => {
  const tables = allTables({ speed });

  test("say what was run, where, and with which command", () => {
    expect(tables).toContain("Commit 0123456789ab, Node v24.0.0, 4 processors (A processor).");
    expect(tables).toContain("`npx -y pnpm@12 bench:speed growth`");
    expect(tables).not.toContain("What the message carries\n\n`");
  });

  test("have curves with a column for each point, and alternatives with their ratios", () => {
    expect(tables).toContain("| µs, by bytes of arguments | 100 | 10,000 |");
    expect(tables).toContain("| contract | 200 | 20,000 |");
    expect(tables).toContain("| a \\| b | 3 | 2.00 | 1.90 to 2.25 |");
  });

  test("have a benchmark that was run alone later in place of the older result", () => {
    const origin = { ...speed.origin, commit: "fedcba9876543210" };
    const table = { ...alternatives, target: { words: "at most 3 times", met: true } };
    const results = [{ name: "growth", about: "a call", tables: [table] }];
    const newer = { speed, later: [{ ...speed, origin, results }] };
    expect(allTables(newer)).toContain("Commit fedcba987654, Node v24.0.0");
    expect(allTables(newer).match(/^## growth$/gm)).toHaveLength(1);
    expect(benchmarksPage(newer)).toContain("- `growth`, one call: at most 3 times: met");
    expect(benchmarksPage(newer)).not.toContain("**missed**");
  });
});

test("the page lists a missed target", () => {
  expect(benchmarksPage({ speed })).toContain(
    "- `growth`, one call: at most 1.2 times: **missed**",
  );
});

test("curves that fall say what is left", () => {
  const rows = [
    { name: "bare", at: 1, value: 50 },
    { name: "bare", at: 64, value: 5 },
  ].map((row) => ({ ...row, unit: "µs" }));
  const [plot] = plotsOf({
    name: "load",
    tables: [{ title: "cost", axis: "calls at once", rows }],
  } as never);
  expect(plot?.answer).toBe("From 1 to 64 (calls at once) these fall: bare to 10 %.");
});

test("a plot of curves names its axis and every curve", { timeout: TIMEOUT }, async () => {
  const plots = speed.results.flatMap(plotsOf);
  expect(plots.map(({ file }) => file)).toEqual(["growth-1.svg"]);
  const [plot] = plots;
  if (plot === undefined) throw new Error("There is no plot.");
  expect(plot.answer).toBe(
    "From 100 to 10,000 (bytes of arguments) these grow: ajv 100 times, contract 100 times.",
  );
  const svg = await drawPlot(plot.spec);
  expect(svg.startsWith("<svg")).toBe(true);
  for (const text of ["bytes of arguments", "ajv", "contract"]) expect(svg).toContain(`>${text}<`);
});
