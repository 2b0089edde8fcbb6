import { readFileSync } from "node:fs";
import { createContract } from "@toolcontract/core";
import {
  ATTRIBUTE_VALUES,
  METRICS,
  prometheusLabel,
  prometheusName,
} from "@toolcontract/core/adapter";
import { startRecording } from "@toolcontract/telemetry";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { selectorsOf } from "./promql.ts";

interface Target {
  readonly expr: string;
  readonly legendFormat: string;
  readonly datasource: object;
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly datasource: object;
  readonly gridPos: {
    readonly h: number;
    readonly w: number;
    readonly x: number;
    readonly y: number;
  };
  readonly targets: readonly Target[];
}

interface Dashboard {
  readonly schemaVersion: number;
  readonly uid: string;
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly {
      readonly name: string;
      readonly type: string;
      readonly query: unknown;
    }[];
  };
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}

const read = (name: string): string =>
  readFileSync(new URL(`../grafana/${name}`, import.meta.url), "utf8");
const dashboard = JSON.parse(read("toolcontract.json")) as Dashboard;
const { groups } = parse(read("alerts.yml")) as { groups: readonly { rules: readonly Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

const targets = dashboard.panels.flatMap(({ title, targets: own }) =>
  own.map((target) => [title, target.expr, target.legendFormat] as const),
);
const queries: readonly (readonly [name: string, query: string, labels: string])[] = [
  ...targets,
  ...rules.map(({ alert, expr, annotations }) => {
    const shown = Object.values(annotations).join(" ").replaceAll("$labels.", "");
    return [alert, expr, shown] as const;
  }),
];

/** A query with Grafana's variables filled in. */
const filled = (query: string): string =>
  query.replaceAll("$__rate_interval", "5m").replaceAll("$__range", "6h").replaceAll("$tool", ".*");

/** The labels of each series, as Prometheus names both when it is sent OTLP. */
const SERIES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.values(METRICS).flatMap((metric): readonly (readonly [string, readonly string[]])[] => {
    const labels = metric.attributes.map(prometheusLabel);
    const name = prometheusName(metric);
    if (metric.kind === "counter") return [[name, labels]];
    return [
      [`${name}_bucket`, [...labels, "le"]],
      [`${name}_sum`, labels],
      [`${name}_count`, labels],
    ];
  }),
);

/** The names of all series that OpenTelemetry's own exporter shows of a contract. */
async function exported(): Promise<ReadonlySet<string>> {
  const recording = startRecording();
  const tool = { name: "book", inputSchema: { type: "object", required: ["id"] } } as const;
  const contract = createContract({
    telemetry: recording.api,
    logger: false,
    formatters: { book: () => Promise.reject(new TypeError()) },
  });
  for (const [index, args] of ["{}", '{"id": 1,}', "{}", "{}", "{}"].entries()) {
    const context = { conversationId: "c", turnId: `${index}`, tool };
    await contract.admit({ id: `${index}`, name: "book", arguments: args }, context);
  }
  const text = await recording.prometheus();
  recording.stop();
  return new Set([...text.matchAll(/^([a-z_]+)\{/gm)].map(([, name]) => name ?? ""));
}

describe.each(queries)("the query of %s", (_, query, shown) => {
  const selectors = selectorsOf(filled(query));

  test("reads series and labels that the code emits", () => {
    expect(selectors).not.toEqual([]);
    for (const { name, matchers, grouped } of selectors) {
      const series = [...SERIES].filter(([one]) => name.test(one));
      expect([name, series.length]).toEqual([name, 1]);
      const labels = series[0]?.[1] ?? [];
      for (const [label] of matchers) expect(labels).toContain(label);
      for (const label of grouped) expect(labels).toContain(label);
    }
  });

  test("asks for values that there are", () => {
    const values = new Map(
      Object.entries(ATTRIBUTE_VALUES).map(([name, known]) => [prometheusLabel(name), known]),
    );
    const asked = selectors.flatMap(({ matchers }) =>
      matchers.flatMap(([label, , value]) => value.split("|").map((one) => [label, one] as const)),
    );
    const unknown = asked.filter(([label, value]) => values.get(label)?.includes(value) === false);
    expect(unknown).toEqual([]);
  });

  test("shows labels by which it groups", () => {
    const labels = [...shown.matchAll(/\{\{\s*(\w+)/g)].map(([, label]) => label);
    const grouped = new Set(selectors.flatMap((selector) => selector.grouped));
    expect(labels.filter((label) => label && !grouped.has(label))).toEqual([]);
  });

  test("fits what OpenTelemetry's own exporter names", async () => {
    const names = [...(await exported())];
    for (const { name } of selectors) {
      const found = names.filter((one) => name.test(one));
      expect([name, found.length]).toEqual([name, 1]);
    }
  });
});

test("a query that is none, or asks for what is not there, is noticed", () => {
  expect(() => selectorsOf("sum by (x (foo)")).toThrow(SyntaxError);
  const [selector] = selectorsOf('sum by (tool) (rate(toolcontract_calls_total{outcome="x"}[5m]))');
  expect(selector).toMatchObject({ matchers: [["outcome", "=", "x"]], grouped: ["tool"] });
});

describe("the dashboard", () => {
  test("has eight panels beside each other, each with data from the chosen source", () => {
    const { panels } = dashboard;
    const source = { type: "prometheus", uid: "${datasource}" };
    expect(new Set(panels.map(({ id }) => id)).size).toBe(8);
    const cells = panels.flatMap(({ gridPos: { x, y, w } }) =>
      Array.from({ length: w }, (_, column) => `${x + column} ${y}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    for (const panel of panels) {
      expect(["timeseries", "bargauge"]).toContain(panel.type);
      expect(panel.gridPos.x + panel.gridPos.w).toBeLessThanOrEqual(24);
      expect([panel.datasource, ...panel.targets.map((one) => one.datasource)]).toEqual([
        source,
        ...panel.targets.map(() => source),
      ]);
    }
    expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(39);
    expect(dashboard.uid).toBe("toolcontract");
  });

  test("declares the variables that its queries use", () => {
    const declared = dashboard.templating.list.map(({ name }) => name);
    const used = JSON.stringify(dashboard.panels).matchAll(/\$\{?(\w+)/g);
    const own = [...used].map(([, name]) => name ?? "").filter((name) => !name.startsWith("__"));
    expect(new Set(own)).toEqual(new Set(declared));
    expect(dashboard.templating.list).toMatchObject([
      { name: "datasource", type: "datasource", query: "prometheus" },
      {
        name: "tool",
        query: { query: "label_values(toolcontract_calls_total, gen_ai_tool_name)" },
      },
    ]);
  });

  test("and the alerts show every metric but that of the store", () => {
    const used = queries.flatMap(([, query]) => selectorsOf(filled(query)));
    const unseen = Object.values(METRICS).filter((metric) => {
      const name = prometheusName(metric);
      return !used.some(
        (selector) => selector.name.test(name) || selector.name.test(`${name}_bucket`),
      );
    });
    expect(unseen.map(({ name }) => name)).toEqual(["toolcontract.store.duration"]);
    expect(rules).toHaveLength(3);
  });
});
