import { startRecording } from "@toolcontract/telemetry";
import { expect, onTestFinished, test } from "vitest";
import { gatedServer, serverOf } from "../testing/gated-server.ts";
import { createRegistry } from "./registry.ts";

const inputSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const tools = [{ name: "count", inputSchema }, { name: 'a"\n\\b' }];

/** What both ways must agree on: times differ, and the exporter for Node leaves out units. */
function comparable(text: string): readonly string[] {
  return text
    .split("\n")
    .filter((line) => /^(?:toolcontract|mcp)_/.test(line))
    .map((line) => line.replace("_duration_seconds", "_duration"))
    .map((line) => (/_duration_(?:sum|bucket)/.test(line) ? line.replace(/ \S+$/, "") : line))
    .toSorted();
}

test("the registry shows what OpenTelemetry's exporter for Prometheus shows of the same calls", async () => {
  const recording = startRecording();
  onTestFinished(() => recording.stop());
  const registry = createRegistry();
  for (const telemetry of [{ metrics: recording.api.metrics }, { metrics: registry.metrics }]) {
    let now = 0;
    const server = gatedServer(serverOf(tools), { telemetry, clock: () => (now += 1_000) });
    for (const n of [1, "one", 2, "one", "two", "three", "four"]) await server.call("count", { n });
    await server.call('a"\n\\b', {});
    await server.call("unlisted", {});
  }
  const exported = comparable(await recording.prometheus());
  expect(exported.length).toBeGreaterThan(20);
  expect(comparable(registry.lines().join("\n"))).toEqual(exported);
});

test("a value on a bound belongs to its bucket, one above all bounds to +Inf", () => {
  const { metrics, lines } = createRegistry();
  const histogram = metrics.getMeter("", "", { schemaUrl: "" }).createHistogram?.("size", {
    description: "Sizes",
    unit: "{piece}",
    advice: { explicitBucketBoundaries: [1, 2] },
  });
  for (const value of [1, 1.5, 9]) histogram?.record(value, { "a.b": "c" });
  expect(lines()).toEqual([
    "# HELP size Sizes.",
    "# TYPE size histogram",
    'size_bucket{a_b="c",le="1"} 1',
    'size_bucket{a_b="c",le="2"} 2',
    'size_bucket{a_b="c",le="+Inf"} 3',
    'size_sum{a_b="c"} 11.5',
    'size_count{a_b="c"} 3',
  ]);
});

test("a scrape has a bounded number of series, whatever the tools are called", () => {
  const { metrics, lines } = createRegistry();
  const meter = metrics.getMeter("", "", { schemaUrl: "" });
  const about = { description: "Calls", unit: "{call}" };
  const counter = meter.createCounter("calls", about);
  const advice = { explicitBucketBoundaries: [1] };
  const histogram = meter.createHistogram?.("time", { ...about, advice });
  for (let tool = 0; tool < 10_000; tool += 1) {
    counter.add(1, { tool });
    histogram?.record(1, { tool });
  }
  // Two lines about each metric, and one series for all others.
  expect(lines()).toHaveLength(2 + 2_001 + 2 + 4 * 201);
  expect(lines()).toContain('calls_total{tool="(other)"} 8000');
  expect(lines()).toContain('time_count{tool="(other)"} 9800');
});
