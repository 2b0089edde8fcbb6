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
  Listener,
} from "./events.ts";
export { type Faults, createFaults } from "./events.ts";
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
export { type TelemetryApi, createTelemetry } from "./telemetry.ts";
