// The public surface of @toolcontract/core, in reading order. Named exports only.

// The contract
export { createContract } from "./contract/contract.ts";
export type { CheckOptions, Contract, HandleContext } from "./contract/contract.ts";
export type { ContractOptions } from "./contract/options.ts";
export type { ContractSettings } from "./contract/contract.ts";
export type { CallContext, ToolTable } from "./call/context.ts";
export type { RejectContext } from "./call/reject.ts";

// What enters: calls and tools
export type { ToolCall } from "./shared/tool.ts";
export { defineTool } from "./shared/tool.ts";
export type {
  Formatter,
  FormatterContext,
  Rule,
  RuleContext,
  RuleError,
  ToolDefinition,
} from "./shared/tool.ts";
export type { JsonSchema, SchemaObject } from "./shared/json.ts";
export type { PatternEngine } from "./schema/pattern/compile-pattern.ts";
export type { RedactionContext, Redactor } from "./sanitize/redactor.ts";

// What leaves: errors, decisions and results
export { ERROR_CODES, isErrorCode } from "./shared/validation-error.ts";
export type { ErrorCode } from "./shared/validation-error.ts";
export type { Severity, ValidationError } from "./shared/validation-error.ts";
export type { Repair, RepairStep } from "./arguments/repair.ts";
export type { CheckResult, InvalidArguments, ValidArguments } from "./call/decision.ts";
export type {
  Admission,
  Admitted,
  Blocked,
  Execute,
  ExecuteContext,
  Executed,
  Handled,
  Rejected,
} from "./call/decision.ts";
export { resultMarker, toAnthropic, toOpenAI, toToolMessage } from "./call/result.ts";
export type {
  AnthropicToolResult,
  OpenAIToolMessage,
  ToolMessage,
  ToolResult,
} from "./call/result.ts";
export type { Escalation, SerializedEscalation } from "./message/escalation.ts";

// The message and its parser
export { FORMAT_VERSION } from "./shared/format-version.ts";
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
export type { ModelTurn, TurnCall, TurnResult } from "./attempts/count-attempts.ts";
export { readResultMarker } from "./attempts/result-marker.ts";
export type { ResultMarker, ResultStatus } from "./attempts/result-marker.ts";
export type { AttemptError, AttemptRecord } from "./shared/attempt.ts";
export { createRetryTracker } from "./attempts/retry-tracker.ts";
export type {
  AttemptKey,
  AttemptStatus,
  RetryTracker,
  RetryTrackerOptions,
} from "./attempts/retry-tracker.ts";
export type { AttemptState, TrackedCall, TrackedFailure } from "./attempts/attempt-state.ts";
export type { AttemptStore } from "./attempts/attempt-store.ts";
export { createMemoryStore } from "./attempts/attempt-store.ts";
export type { MemoryStoreOptions } from "./attempts/attempt-store.ts";

// Errors thrown at programmers and by adapters
export { ToolContractError } from "./shared/tool-contract-error.ts";
export { EscalationError } from "./message/escalation.ts";

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
} from "./observe/events.ts";
export type { ErrorPlace } from "./observe/logger.ts";
export type { CallCounts, MetricsSnapshot } from "./observe/metrics.ts";
export type { TelemetryApi } from "./observe/telemetry.ts";
