import type { TelemetryApi } from "@toolcontract/core";
import { type MetricName, prometheusLabel, prometheusName } from "@toolcontract/core/adapter";

/** What a meter of OpenTelemetry would send, kept in this process. */
export interface Registry {
  /** For the option `telemetry` of a gate. */
  readonly metrics: NonNullable<TelemetryApi["metrics"]>;
  /** All values, as OpenTelemetry's exporter for Prometheus names them. */
  readonly lines: () => readonly string[];
}

/** A scrape is read every few seconds, and a histogram has a line for each of its buckets. */
const MAX_TOTALS = 2_000;
const MAX_HISTOGRAMS = 200;
const OTHER = "(other)";

type MetricAttributes = Readonly<Record<string, unknown>>;
type Labels = readonly (readonly [name: string, value: string])[];

/** Creates a registry. Each of its instruments has a bounded number of series. */
export function createRegistry(): Registry {
  const metrics = new Map<string, () => readonly string[]>();

  function add<I extends Instrument>(
    metric: Pick<MetricName, "name" | "kind" | "unit" | "description">,
    create: (name: string) => I,
  ): I {
    const name = prometheusName({ ...metric, attributes: [] });
    const instrument = create(name);
    metrics.set(name, () => [
      `# HELP ${name} ${metric.description}.`,
      `# TYPE ${name} ${metric.kind}`,
      ...instrument.lines(),
    ]);
    return instrument;
  }

  return {
    metrics: {
      getMeter: () => ({
        createCounter: (name, options) => add({ name, kind: "counter", ...options }, createCounter),
        createHistogram: (name, { advice, ...options }) =>
          add({ name, kind: "histogram", ...options }, (shown) =>
            createHistogram(shown, advice.explicitBucketBoundaries),
          ),
      }),
    },
    lines: () => [...metrics.values()].flatMap((lines) => lines()),
  };
}

interface Instrument {
  readonly lines: () => readonly string[];
}

function createCounter(name: string) {
  const totals = createSeries(() => ({ total: 0 }), MAX_TOTALS);
  return {
    add(value: number, attributes: MetricAttributes): void {
      totals.of(attributes).total += value;
    },
    lines: () => totals.all().map(([labels, { total }]) => line(name, labels, total)),
  };
}

function createHistogram(name: string, bounds: readonly number[]) {
  const series = createSeries(
    () => ({ sum: 0, counts: [...bounds, 0].map(() => 0) }),
    MAX_HISTOGRAMS,
  );
  return {
    record(value: number, attributes: MetricAttributes): void {
      const found = series.of(attributes);
      const bucket = bounds.findIndex((bound) => value <= bound);
      const at = bucket === -1 ? bounds.length : bucket;
      found.sum += value;
      found.counts[at] = (found.counts[at] ?? 0) + 1;
    },
    lines: () =>
      series.all().flatMap(([labels, { sum, counts }]) => {
        let total = 0;
        const buckets = counts.map((count, at) => {
          total += count;
          return line(`${name}_bucket`, [...labels, ["le", `${bounds[at] ?? "+Inf"}`]], total);
        });
        return [...buckets, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, total)];
      }),
  };
}

/** Values by their labels; beyond `max`, all others are one, whose labels say so. */
function createSeries<V>(create: () => V, max: number) {
  const known = new Map<string, readonly [Labels, V]>();
  return {
    of(attributes: MetricAttributes): V {
      const own = Object.entries(attributes).map(
        ([name, value]) => [prometheusLabel(name), String(value)] as const,
      );
      const isOver = known.size >= max && !known.has(JSON.stringify(own));
      const labels = isOver ? own.map(([name]) => [name, OTHER] as const) : own;
      const key = JSON.stringify(labels);
      const [, value] = known.get(key) ?? [labels, create()];
      known.set(key, [labels, value]);
      return value;
    },
    all: () => [...known.values()],
  };
}

/** A line of Prometheus text. */
export function line(name: string, labels: Labels, value: number): string {
  const shown = labels.map(([label, text]) => `${label}=${quoted(text)}`).join(",");
  return `${name}${shown === "" ? "" : `{${shown}}`} ${value}`;
}

function quoted(text: string): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  return `"${escaped}"`;
}
