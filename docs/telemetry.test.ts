import { ATTRIBUTES, LOG_RECORDS, METRICS, SPAN_ATTRIBUTES } from "@toolcontract/core/adapter";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readPage } from "./fences.ts";

const page = readPage("docs/telemetry.md");

/** The cells of the rows of the table under a heading. */
function rowsUnder(heading: string, text = page): readonly (readonly string[])[] {
  const [, section = ""] = text.split(`## ${heading}\n`);
  const [own = ""] = section.split("\n## ");
  const lines = own.split("\n").filter((line) => line.startsWith("| "));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim().replaceAll("`", "")),
  );
}

describe("the pages for operators have the names that the code emits", () => {
  test("of attributes", () => {
    expect(rowsUnder("Attributes").map(([name]) => name)).toEqual(SPAN_ATTRIBUTES);
  });

  test("of log records", () => {
    expect(rowsUnder("Log records").map(([name]) => name)).toEqual(Object.values(LOG_RECORDS));
  });

  test("of metrics, with kind, unit, attributes and description", () => {
    const known = Object.values(METRICS).map(({ name, kind, unit, attributes, description }) => [
      name,
      kind,
      unit,
      attributes.join(", "),
      description,
    ]);
    expect(rowsUnder("Metrics")).toEqual(known);
  });

  test("and no other", () => {
    const names = new Set([
      ...Object.values(ATTRIBUTES),
      ...Object.values(LOG_RECORDS),
      ...Object.values(METRICS).map(({ name }) => name),
    ]);
    const used = page.matchAll(/`((?:toolcontract|gen_ai)\.[\w.]+[a-z])`/g);
    expect([...used].map(([, name]) => name ?? "").filter((name) => !names.has(name))).toEqual([]);
  });

  test("of alerts", () => {
    const { groups } = parse(readPage("grafana/alerts.yml")) as {
      groups: { rules: { alert: string }[] }[];
    };
    const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    const rows = rowsUnder("What to alert on", readPage("docs/in-production.md"));
    expect(rows.map(([name]) => name).slice(0, alerts.length)).toEqual(alerts);
  });
});
