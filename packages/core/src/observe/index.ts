export type {
  CallAdmittedEvent,
  CallEscalatedEvent,
  CallEvent,
  CallExecutedEvent,
  CallRecoveredEvent,
  CallRejectedEvent,
  CallRepairedEvent,
  ContractDegradedEvent,
  ContractEventMap,
} from "./event-map.ts";
export type { Listener } from "./events.ts";
export { type ErrorPlace, errorClass } from "./error-place.ts";
export {
  type ContractLogger,
  type FailureLogFields,
  type FaultLogFields,
  type LogFields,
  type PassedLogFields,
  type RecoveryLogFields,
  type RepairLogFields,
  consoleLogger,
} from "./logger.ts";
export type { CallCounts, MetricsSnapshot } from "./metrics.ts";
export type { ReportedCall } from "./report.ts";
export { type Reporter, createReporter } from "./reporter.ts";
export type { TelemetryApi, TelemetryOptions } from "./telemetry-api.ts";
export {
  ATTRIBUTES,
  ATTRIBUTE_VALUES,
  DEGRADED_ATTRIBUTES,
  LOG_RECORDS,
  METRICS,
  SPAN_ATTRIBUTES,
  type MetricName,
  prometheusLabel,
  prometheusName,
} from "./names.ts";
