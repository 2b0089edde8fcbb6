export type {
  CallAdmittedEvent,
  CallEscalatedEvent,
  CallExecutedEvent,
  CallRecoveredEvent,
  CallRejectedEvent,
  CallRepairedEvent,
  ContractDegradedEvent,
  ContractEventMap,
} from "./event-map.ts";
export type { Listener } from "./events.ts";
export { errorClass } from "./faults.ts";
export type {
  ContractLogger,
  ErrorPlace,
  FailureLogFields,
  FaultLogFields,
  LogFields,
  PassedLogFields,
  RecoveryLogFields,
  RepairLogFields,
} from "./log-fields.ts";
export { consoleLogger } from "./logger.ts";
export type { CallCounts, MetricsSnapshot } from "./metrics.ts";
export type { CallEvent, ReportedCall } from "./report.ts";
export { type Reporter, createReporter } from "./reporter.ts";
export type { TelemetryApi, TelemetryOptions } from "./telemetry-api.ts";
export {
  ATTRIBUTES,
  ATTRIBUTE_VALUES,
  LOG_RECORDS,
  METRICS,
  SPAN_ATTRIBUTES,
  type MetricName,
  prometheusLabel,
  prometheusName,
} from "./names.ts";
