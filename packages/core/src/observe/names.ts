/** What the tracer, the meter and the logger are named. */
export const SCOPE = "toolcontract";

/** The version of the GenAI conventions that the names beginning with `gen_ai.` are from. */
export const SCHEMA_URL = "https://opentelemetry.io/schemas/gen-ai-dev/1.42.0-dev";

/** The value of `gen_ai.operation.name`, and the first word of a span's name. */
export const OPERATION = "execute_tool";

/** The names of all attributes. */
export const ATTRIBUTES = {
  operation: "gen_ai.operation.name",
  tool: "gen_ai.tool.name",
  toolType: "gen_ai.tool.type",
  callId: "gen_ai.tool.call.id",
  conversationId: "gen_ai.conversation.id",
  errorType: "error.type",
  outcome: "toolcontract.outcome",
  lane: "toolcontract.lane",
  attempt: "toolcontract.attempt",
  maxAttempts: "toolcontract.max_attempts",
  errorCodes: "toolcontract.error.codes",
  errorPaths: "toolcontract.error.paths",
  escalated: "toolcontract.escalated",
  errorCode: "toolcontract.error.code",
  result: "toolcontract.result",
  stage: "toolcontract.stage",
  mode: "toolcontract.mode",
} as const;

const A = ATTRIBUTES;

/** The attributes of a span, and of the log record that goes with it. */
export const SPAN_ATTRIBUTES: readonly string[] = [
  A.operation,
  A.tool,
  A.toolType,
  A.callId,
  A.conversationId,
  A.errorType,
  A.outcome,
  A.lane,
  A.attempt,
  A.maxAttempts,
  A.errorCodes,
  A.errorPaths,
  A.escalated,
  A.mode,
];

/** The names of the log records. */
export const LOG_RECORDS = {
  rejected: "toolcontract.call.rejected",
  blocked: "toolcontract.call.blocked",
  degraded: "toolcontract.degraded",
} as const;

/** The attributes of the log record `toolcontract.degraded`. */
export const DEGRADED_ATTRIBUTES: readonly string[] = [A.stage, A.errorType, A.tool];

/** A metric and the attributes that it may have. */
export interface MetricName {
  /** Its name in OpenTelemetry. */
  readonly name: string;
  /** Which instrument it is. */
  readonly kind: "counter" | "histogram";
  /** Its unit, in UCUM. */
  readonly unit: string;
  /** What it measures. */
  readonly description: string;
  /** The names of the attributes that its values may have. */
  readonly attributes: readonly string[];
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
}

const SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1];

type MetricKey =
  | "calls"
  | "errors"
  | "escalations"
  | "repairs"
  | "degraded"
  | "attempts"
  | "checkDuration"
  | "storeDuration";

/** All metrics. */
export const METRICS: Readonly<Record<MetricKey, MetricName>> = {
  calls: {
    name: "toolcontract.calls",
    kind: "counter",
    unit: "{call}",
    description: "Decisions on tool calls, by outcome",
    attributes: [A.tool, A.outcome, A.lane, A.mode],
  },
  errors: {
    name: "toolcontract.errors",
    kind: "counter",
    unit: "{error}",
    description: "Errors in tool calls, by code",
    attributes: [A.tool, A.errorCode, A.lane, A.mode],
  },
  escalations: {
    name: "toolcontract.escalations",
    kind: "counter",
    unit: "{escalation}",
    description: "Tools whose attempts were spent",
    attributes: [A.tool, A.lane, A.mode],
  },
  repairs: {
    name: "toolcontract.repairs",
    kind: "counter",
    unit: "{call}",
    description: "Tool calls whose JSON text was repaired",
    attributes: [A.tool],
  },
  degraded: {
    name: "toolcontract.degraded",
    kind: "counter",
    unit: "{fault}",
    description: "Faults after which calls went on without a stage",
    attributes: [A.stage],
  },
  attempts: {
    name: "toolcontract.attempts",
    kind: "histogram",
    unit: "{attempt}",
    description: "Attempts until a tool recovered or was blocked",
    attributes: [A.tool, A.result, A.lane, A.mode],
    buckets: [1, 2, 3, 5, 8],
  },
  checkDuration: {
    name: "toolcontract.check.duration",
    kind: "histogram",
    unit: "s",
    description: "Time to parse and validate the arguments of a call",
    attributes: [],
    buckets: SECONDS,
  },
  storeDuration: {
    name: "toolcontract.store.duration",
    kind: "histogram",
    unit: "s",
    description: "Time that the store of attempts took",
    attributes: [A.result],
    buckets: SECONDS,
  },
};

/** The possible values of those metric attributes that have only a few. */
export const ATTRIBUTE_VALUES: Readonly<Record<string, readonly string[]>> = {
  [A.outcome]: ["admitted", "rejected", "blocked"],
  [A.mode]: ["observe"],
  [A.result]: ["recovered", "blocked", "ok", "failed", "skipped"],
};

/** A name as Prometheus writes it. */
export function prometheusLabel(attribute: string): string {
  return attribute.replaceAll(/[^A-Za-z0-9_]/g, "_");
}

/** A metric's name as Prometheus writes it, without the endings of a histogram's series. */
export function prometheusName({ name, kind, unit }: MetricName): string {
  const base = prometheusLabel(name);
  if (kind === "counter") return `${base}_total`;
  return unit === "s" ? `${base}_seconds` : base;
}
