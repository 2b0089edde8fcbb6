// The public surface of @toolcontract/core, in reading order. Named exports only.

// The contract
export { createContract } from "./contract.ts";
export type { CheckOptions, Contract, HandleContext } from "./contract.ts";
export type { ContractOptions } from "./contract-options.ts";
export type { ContractSettings } from "./contract-settings.ts";
export type { CallContext, ToolTable } from "./call-context.ts";
export type { RejectContext } from "./stages/reject-errors.ts";

// What enters: calls and tools
export type { ToolCall } from "./tool-call.ts";
export { defineTool } from "./tool-definition.ts";
export type {
  Formatter,
  FormatterContext,
  Rule,
  RuleContext,
  RuleError,
  ToolDefinition,
} from "./tool-definition.ts";
export type { JsonSchema, SchemaObject } from "./json-schema.ts";
export type { PatternEngine } from "./schema/pattern.ts";
export type { RedactionContext, Redactor } from "./sanitize/redactor.ts";

// What leaves: errors, decisions and results
export { ERROR_CODES, isErrorCode } from "./error-code.ts";
export type { ErrorCode } from "./error-code.ts";
export type { Severity, ValidationError } from "./validation-error.ts";
export type { Repair, RepairStep } from "./arguments/repair-record.ts";
export type { CheckResult, InvalidArguments, ValidArguments } from "./check-result.ts";
export type {
  Admission,
  Admitted,
  Blocked,
  Execute,
  ExecuteContext,
  Executed,
  Handled,
  Rejected,
} from "./admission.ts";
export { resultMarker, toAnthropic, toOpenAI, toToolMessage } from "./tool-result.ts";
export type {
  AnthropicToolResult,
  OpenAIToolMessage,
  ToolMessage,
  ToolResult,
} from "./tool-result.ts";
export type { Escalation, SerializedEscalation } from "./escalation.ts";

// The message and its parser
export { FORMAT_VERSION } from "./format-version.ts";
export type { FormatOptions, MessageStyle } from "./message/format-options.ts";
export { parseRejection } from "./message/parse-rejection.ts";
export type { ParsedRejection } from "./message/parse-rejection.ts";

// Counting attempts
export { countAttempts } from "./attempts/count-attempts.ts";
export type {
  AttemptCount,
  AttemptScope,
  CountAttemptsOptions,
} from "./attempts/count-attempts.ts";
export type { ModelTurn, TurnCall, TurnResult } from "./attempts/model-turn.ts";
export { readResultMarker } from "./attempts/result-marker.ts";
export type { ResultMarker, ResultStatus } from "./attempts/result-marker.ts";
export type { AttemptError, AttemptRecord } from "./attempts/attempt-record.ts";
export { createRetryTracker } from "./attempts/retry-tracker.ts";
export type {
  AttemptKey,
  AttemptStatus,
  RetryTracker,
  RetryTrackerOptions,
} from "./attempts/retry-tracker.ts";
export type { AttemptState, TrackedCall, TrackedFailure } from "./attempts/attempt-state.ts";
export type { AttemptStore } from "./attempts/attempt-store.ts";
export { createMemoryStore } from "./attempts/memory-store.ts";
export type { MemoryStoreOptions } from "./attempts/memory-store.ts";

// Errors thrown at programmers and by adapters
export { ToolContractError } from "./tool-contract-error.ts";
export { EscalationError } from "./escalation-error.ts";

// Observability
export type {
  ContractLogger,
  FailureLogFields,
  FaultLogFields,
  LogFields,
  RepairLogFields,
} from "./observe/logger.ts";
export type {
  CallAdmittedEvent,
  CallEscalatedEvent,
  CallEvent,
  CallRejectedEvent,
  CallRepairedEvent,
  ContractDegradedEvent,
  ContractEventMap,
} from "./observe/contract-events.ts";
export type { ErrorPlace } from "./observe/error-place.ts";
export type { CallCounts, MetricsSnapshot } from "./observe/metrics.ts";
export type { TelemetryApi } from "./observe/telemetry.ts";
