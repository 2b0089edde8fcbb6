/** Attributes as OpenTelemetry takes them. */
export type Attributes = Record<string, string | number | boolean | string[]>;

interface Scope {
  readonly schemaUrl: string;
}

/** A counter of OpenTelemetry. */
interface TelemetryCounter {
  add(value: number, attributes: Attributes): void;
}

/** A histogram of OpenTelemetry. */
interface TelemetryHistogram {
  record(value: number, attributes: Attributes): void;
}

/** A meter of OpenTelemetry. */
interface TelemetryMeter {
  createCounter(name: string, options: { description: string; unit: string }): TelemetryCounter;
  createHistogram?(
    name: string,
    options: {
      description: string;
      unit: string;
      advice: { explicitBucketBoundaries: number[] };
    },
  ): TelemetryHistogram;
}

/** A span of OpenTelemetry. */
export interface TelemetrySpan {
  setAttributes?(attributes: Attributes): unknown;
  setStatus?(status: { code: number }): unknown;
  end?(time?: number): void;
}

/** A tracer of OpenTelemetry. */
interface TelemetryTracer {
  startSpan(
    name: string,
    options: { kind: number; startTime?: number; attributes: Attributes },
  ): TelemetrySpan;
}

/** A logger of OpenTelemetry. */
export interface TelemetryLogger {
  emit(record: {
    eventName: string;
    severityNumber: number;
    severityText: string;
    attributes: Attributes;
    context?: never;
  }): void;
}

/**
 * The part of `@opentelemetry/api` that the contract uses; pass the module itself.
 *
 * @remarks Register the SDK before the first call: counters created earlier record nothing.
 */
export interface TelemetryApi {
  /** Counts calls and measures. */
  readonly metrics?: {
    /** Returns the meter of this library. */
    getMeter(name: string, version: string, options: Scope): TelemetryMeter;
  };
  /** Makes spans of calls that did not run. */
  readonly trace?: {
    /** Returns the tracer of this library. */
    getTracer?(name: string, version: string): TelemetryTracer;
    /** Returns the registered provider, whose tracers know the version of the conventions. */
    getTracerProvider?(): {
      getTracer(name: string, version: string, options: Scope): TelemetryTracer;
    };
    /** Returns the span in which the call is handled. */
    getActiveSpan?(): TelemetrySpan | undefined;
    /** Puts a span into a context, for the log record that belongs to it. */
    setSpan?(context: never, span: never): unknown;
  };
  /** The context in which the call is handled. */
  readonly context?: {
    /** Returns the active context. */
    active(): unknown;
  };
  /** Writes log records; part of the module since 1.10, before that of `@opentelemetry/api-logs`. */
  readonly logs?: {
    /** Returns the logger of this library. */
    getLogger(name: string, version: string, options: Scope): TelemetryLogger;
  };
}

/**
 * OpenTelemetry's API module and what to do with it: `{ ...api, refusals: "active" }`.
 *
 * @example
 * ```ts
 * const telemetry: TelemetryOptions = { ...api, refusals: "span", conversationId: true };
 * ```
 * @see docs/telemetry.md
 */
export interface TelemetryOptions extends TelemetryApi {
  /**
   * A call that did not run gets a span of its own (`"span"`), marks the span that is active, for hosts that
   * have one for each call (`"active"`), or neither (`"off"`).
   *
   * @default "span"
   */
  readonly refusals?: "span" | "active" | "off";
  /**
   * Puts the conversation's id on spans and log records.
   *
   * @default false
   */
  readonly conversationId?: boolean;
}
