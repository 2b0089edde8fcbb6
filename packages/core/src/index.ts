// The public surface of @toolcontract/core, in reading order. Named exports only.

// The contract
export { createContract } from "./contract/index.ts";
export type { CheckOptions, Contract, HandleContext } from "./contract/index.ts";
export type { ContractOptions } from "./contract/index.ts";
export type { ContractSettings } from "./contract/index.ts";
export type { CallContext, ToolTable } from "./call/index.ts";
export type { RejectContext } from "./call/index.ts";

// What enters: calls and tools
export type { ToolCall } from "./shared/index.ts";
export { defineTool } from "./shared/index.ts";
export type {
  Formatter,
  FormatterContext,
  Rule,
  RuleContext,
  RuleError,
  ToolDefinition,
} from "./shared/index.ts";
export type { JsonSchema, SchemaObject } from "./shared/index.ts";
export type { PatternEngine } from "./schema/index.ts";
export type { RedactionContext, Redactor } from "./sanitize/index.ts";

// What leaves: errors, decisions and results
export { ERROR_CODES, isErrorCode } from "./shared/index.ts";
export type { ErrorCode } from "./shared/index.ts";
export type { Severity, ValidationError } from "./shared/index.ts";
export type { Repair, RepairStep } from "./arguments/index.ts";
export type { CheckResult, InvalidArguments, ValidArguments } from "./call/index.ts";
export type {
  Admission,
  Admitted,
  Blocked,
  Execute,
  ExecuteContext,
  Executed,
  Handled,
  Rejected,
} from "./call/index.ts";
export { resultMarker, toAnthropic, toOpenAI, toToolMessage } from "./call/index.ts";
export type {
  AnthropicToolResult,
  OpenAIToolMessage,
  ToolMessage,
  ToolResult,
} from "./call/index.ts";
export type { Escalation, SerializedEscalation } from "./message/index.ts";

// The message and its parser
export { FORMAT_VERSION } from "./shared/index.ts";
export type { FormatOptions, MessageStyle } from "./message/index.ts";
export { parseRejection } from "./message/index.ts";
export type { ParsedRejection } from "./message/index.ts";

// Counting attempts
export { countAttempts } from "./attempts/index.ts";
export type { AttemptCount, AttemptScope, CountAttemptsOptions } from "./attempts/index.ts";
export type { ModelTurn, TurnCall, TurnResult } from "./attempts/index.ts";
export { readResultMarker } from "./attempts/index.ts";
export type { ResultMarker, ResultStatus } from "./attempts/index.ts";
export type { AttemptError, AttemptRecord } from "./shared/index.ts";
export { createRetryTracker } from "./attempts/index.ts";
export type {
  AttemptKey,
  AttemptStatus,
  RetryTracker,
  RetryTrackerOptions,
} from "./attempts/index.ts";
export type { AttemptState, TrackedCall, TrackedFailure } from "./attempts/index.ts";
export type { AttemptStore } from "./attempts/index.ts";
export { createMemoryStore } from "./attempts/index.ts";
export type { MemoryStoreOptions } from "./attempts/index.ts";

// Errors thrown at programmers and by adapters
export { ToolContractError } from "./shared/index.ts";
export { EscalationError } from "./message/index.ts";

// Observability
export type {
  ContractLogger,
  FailureLogFields,
  FaultLogFields,
  LogFields,
  RepairLogFields,
} from "./observe/index.ts";
export type {
  CallAdmittedEvent,
  CallEscalatedEvent,
  CallEvent,
  CallRejectedEvent,
  CallRepairedEvent,
  ContractDegradedEvent,
  ContractEventMap,
} from "./observe/index.ts";
export type { ErrorPlace } from "./observe/index.ts";
export type { CallCounts, MetricsSnapshot } from "./observe/index.ts";
export type { TelemetryApi } from "./observe/index.ts";
