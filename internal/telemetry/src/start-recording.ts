import * as api from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { PrometheusExporter, PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { LoggerProvider, type ReadableLogRecord } from "@opentelemetry/sdk-logs";
import { MeterProvider, type MetricData } from "@opentelemetry/sdk-metrics";
import { type ReadableSpan, TracerProvider } from "@opentelemetry/sdk-trace";

/** A span that was started, ended or not. */
export type SpanRecord = ReadableSpan;

/** What OpenTelemetry's SDK was given since it was registered. */
export interface Recording {
  /** The module that hosts pass on. */
  readonly api: typeof api;
  /** In the order in which they began. */
  readonly spans: readonly SpanRecord[];
  readonly logs: readonly ReadableLogRecord[];
  /** Runs a task in a span of its own, as the handler of a request does. */
  inSpan<T>(name: string, task: () => Promise<T>): Promise<T>;
  metrics(): Promise<readonly MetricData[]>;
  /** All metrics as Prometheus reads them. */
  prometheus(): Promise<string>;
  /** Unregisters the SDK. */
  stop(): void;
}

const done = async (): Promise<void> => undefined;

/**
 * Registers OpenTelemetry's SDK for this process, in place of one that is registered; it keeps spans and log records in
 * memory unless `keeps` is false.
 */
export function startRecording({ keeps = true }: { readonly keeps?: boolean } = {}): Recording {
  const spans: SpanRecord[] = [];
  const logs: ReadableLogRecord[] = [];
  const reader = new PrometheusExporter({ preventServerStart: true });
  const serializer = new PrometheusSerializer("", false, undefined, true, true);
  const tracers = new TracerProvider({
    spanProcessors: [
      {
        onStart: (span) => void (keeps && spans.push(span)),
        onEnd: () => undefined,
        forceFlush: done,
        shutdown: done,
      },
    ],
  });
  const loggers = new LoggerProvider({
    processors: [
      { onEmit: (record) => void (keeps && logs.push(record)), forceFlush: done, shutdown: done },
    ],
  });
  const contexts = new AsyncLocalStorageContextManager().enable();
  unregister();
  api.context.setGlobalContextManager(contexts);
  api.trace.setGlobalTracerProvider(tracers);
  api.metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  api.logs.setGlobalLoggerProvider(loggers);
  return {
    api,
    spans,
    logs,
    inSpan: async (name, task) =>
      api.trace.getTracer("host").startActiveSpan(name, async (span) => {
        try {
          return await task();
        } finally {
          span.end();
        }
      }),
    async metrics() {
      const { resourceMetrics } = await reader.collect();
      return resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics);
    },
    async prometheus() {
      return serializer.serialize((await reader.collect()).resourceMetrics);
    },
    stop: unregister,
  };
}

function unregister(): void {
  api.context.disable();
  api.trace.disable();
  api.metrics.disable();
  api.logs.disable();
}
