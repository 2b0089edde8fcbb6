import type { TopLevelSpec } from "@toolcontract/plots";
import { SUBJECTS } from "./subjects.ts";

/** What a program is, and how its mark looks: a ring leaves a dot at the same place visible. */
const KINDS = {
  bare: { words: "as its documentation shows it", color: "#f58518", ring: false },
  zod: { words: "with the best of its own options", color: "#8a8a8a", ring: false },
  contract: { words: "with the contract", color: "#4c78a8", ring: true },
} as const;
/** The levels that every program has, in the order of the matrix. */
const LEVELS = ["L1: survives", "L2: tells", "L3: protects"];

/** A plot of the matrix: the share of checks that each program passes, by level. */
export function plotOf(matrix: string): TopLevelSpec {
  const rows = matrix.split("\n").map((row) => row.split("|").map((cell) => cell.trim()));
  const values = SUBJECTS.flatMap(({ framework, title, kinds }) =>
    kinds.flatMap((kind) => {
      const [, program = "", ...scores] =
        rows.find((cells) => cells.includes(`\`${framework} ${kind}\``)) ?? [];
      const name = nameOf(title, program);
      return LEVELS.map((level, index) => {
        const { words, ring } = KINDS[kind];
        return { name, level, kind: words, ring, share: shareOf(scores[index]) };
      });
    }),
  );
  const kinds = Object.values(KINDS);
  const x = {
    field: "share",
    type: "quantitative" as const,
    title: "checks passed",
    axis: { format: "%", values: [0, 0.5, 1], labelFontSize: 12, titleFontSize: 12 },
  };
  const point = {
    x,
    color: {
      field: "kind",
      type: "nominal" as const,
      title: null,
      scale: { domain: kinds.map(({ words }) => words), range: kinds.map(({ color }) => color) },
      legend: { orient: "bottom" as const, columns: 1, labelFontSize: 12, labelLimit: 0 },
    },
  };
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    background: "white",
    config: { aria: false },
    data: { values },
    facet: {
      column: {
        field: "level",
        type: "nominal",
        title: null,
        header: { labelFontSize: 13, labelFontWeight: "bold" },
      },
    },
    spec: {
      width: 130,
      height: { step: 22 },
      encoding: {
        y: {
          field: "name",
          type: "nominal",
          sort: null,
          title: null,
          axis: { labelFontSize: 12, labelLimit: 0, ticks: false, grid: true },
        },
      },
      layer: [
        {
          mark: { type: "rule", color: "#bbb" },
          encoding: { x: { ...x, aggregate: "min" }, x2: { field: "share", aggregate: "max" } },
        },
        {
          transform: [{ filter: "!datum.ring" }],
          mark: { type: "point", filled: true, size: 50, opacity: 1 },
          encoding: point,
        },
        {
          transform: [{ filter: "datum.ring" }],
          mark: { type: "point", size: 110, strokeWidth: 2.5, opacity: 1 },
          encoding: point,
        },
      ],
    },
  };
}

/** `OpenAI Agents 0.20.0`; a loop around a client has a name of its own. */
function nameOf(title: string, program: string): string {
  const [name = ""] = title.replaceAll("`", "").split(/,| \(/);
  const [version = ""] = /\d+(?:\.\d+)+/.exec(program) ?? [];
  return title.includes(",") ? name : `${name} ${version}`;
}

function shareOf(score = ""): number {
  const [, passed, all] = /^(\d+) of (\d+)$/.exec(score) ?? [];
  if (passed === undefined) throw new Error(`Not a score: ${score}`);
  return Number(passed) / Number(all);
}
