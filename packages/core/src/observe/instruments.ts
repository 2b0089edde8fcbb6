import { VERSION } from "../shared/index.ts";
import { METRICS, type MetricName, SCHEMA_URL, SCOPE } from "./names.ts";
import type { Attributes, TelemetryApi } from "./telemetry-api.ts";
import type { TelemetryHost } from "./telemetry-host.ts";

/** Adds to a counter, or records a value in a histogram. */
type RecordValue = (value: number, attributes: Attributes) => void;

/** All instruments, by the key of their metric. */
export type Instruments = Readonly<Record<keyof typeof METRICS, RecordValue>>;

const NOTHING: RecordValue = () => undefined;

/** Creates the instruments; without a meter they do nothing. */
export function createInstruments({ metrics }: TelemetryApi, host: TelemetryHost): Instruments {
  const meter = host.part(
    () => metrics?.getMeter(SCOPE, VERSION, { schemaUrl: SCHEMA_URL }),
    undefined,
  );

  function instrument({ name, kind, buckets = [], ...metric }: MetricName): RecordValue {
    if (meter === undefined) return NOTHING;
    const options = { description: metric.description, unit: metric.unit };
    if (kind === "counter") {
      const counter = meter.createCounter(name, options);
      return (value, attributes) => host.guard(() => counter.add(value, attributes));
    }
    if (typeof meter.createHistogram !== "function") {
      host.missing("metrics.createHistogram");
      return NOTHING;
    }
    const advice = { explicitBucketBoundaries: [...buckets] };
    const histogram = meter.createHistogram(name, { ...options, advice });
    return (value, attributes) => host.guard(() => histogram.record(value, attributes));
  }

  const created = Object.entries(METRICS).map(([key, metric]) => [
    key,
    host.part(() => instrument(metric), NOTHING),
  ]);
  return Object.fromEntries(created) as Instruments;
}
