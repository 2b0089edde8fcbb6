export {
  type CallAdmittedEvent,
  type CallEscalatedEvent,
  type CallEvent,
  type CallExecutedEvent,
  type CallRecoveredEvent,
  type CallRejectedEvent,
  type CallRepairedEvent,
  type ContractDegradedEvent,
  type ContractEventMap,
  type Listener,
  type Faults,
  createFaults,
} from "./events.ts";
export {
  type ContractLogger,
  type ErrorPlace,
  type FailureLogFields,
  type FaultLogFields,
  type LogFields,
  type LoggedFailure,
  type RecoveryLogFields,
  type PassedLogFields,
  type RepairLogFields,
  consoleLogger,
  errorClass,
  escalationEntry,
  recoveryEntry,
  rejectionEntry,
  repairEntry,
  skipEntry,
  toErrorPlaces,
} from "./logger.ts";
export {
  type CallCounts,
  type CallOutcome,
  type CodeCounts,
  type Metrics,
  type MetricsSnapshot,
  createMetrics,
} from "./metrics.ts";
export { createSafeTelemetry } from "./safe-telemetry.ts";
export type { RecoveredCall } from "./telemetry.ts";
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
