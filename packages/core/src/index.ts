// The public surface of @toolcontract/core, in reading order. Named exports only.

// The contract
export { createContract } from "./contract/index.ts";
export type {
  CheckOptions,
  Contract,
  ContractOptions,
  ContractSettings,
  HandleContext,
} from "./contract/index.ts";
export type { CallContext, RejectContext, ToolTable } from "./call/index.ts";

// What enters: calls and tools
export { defineTool } from "./shared/index.ts";
export type {
  CallTool,
  ExecutionStage,
  Formatter,
  FormatterContext,
  JsonSchema,
  PackageLogFields,
  Rule,
  RuleContext,
  RuleError,
  SchemaObject,
  StageAnswer,
  StageContext,
  StageFailure,
  StageLane,
  StageRefusal,
  StageReports,
  StagedCall,
  ToolCall,
  ToolDefinition,
} from "./shared/index.ts";
export type { PatternEngine } from "./schema/index.ts";
export type { RedactionContext, Redactor } from "./sanitize/index.ts";

// What leaves: errors, decisions and results
export { ERROR_CODES, isErrorCode, meaningOf } from "./shared/index.ts";
export type {
  ErrorCode,
  ErrorCodeMap,
  Lane,
  Severity,
  TypedOutcome,
  Undone,
  ValidationError,
} from "./shared/index.ts";
export type { Repair, RepairStep } from "./arguments/index.ts";
export type {
  Admission,
  Admitted,
  Blocked,
  CheckResult,
  Execute,
  ExecuteContext,
  Executed,
  Failed,
  Handled,
  HandledInTurn,
  InvalidArguments,
  Rejected,
  ValidArguments,
  WireOutput,
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
export type { FormatOptions, MessageStyle, ParsedRejection } from "./message/index.ts";
export { parseRejection } from "./message/index.ts";

// Counting attempts
export {
  countAttempts,
  createMemoryStore,
  createRetryTracker,
  readResultMarker,
} from "./attempts/index.ts";
export type {
  AttemptChange,
  AttemptCount,
  AttemptKey,
  AttemptScope,
  AttemptState,
  AttemptStatus,
  AttemptStore,
  AttemptUpdate,
  CountAttemptsOptions,
  MemoryStore,
  MemoryStoreOptions,
  ModelTurn,
  ResultMarker,
  ResultStatus,
  RetryTracker,
  RetryTrackerOptions,
  StoreOutage,
  TrackedCall,
  TrackedFailure,
  TurnCall,
  TurnResult,
} from "./attempts/index.ts";
export type { AttemptError, AttemptRecord } from "./shared/index.ts";

// Where attempts are kept
export { createLocalStore, createVersionedStore, withFallback } from "./stores/index.ts";
export type {
  EntryOptions,
  FallbackOptions,
  LocalEngine,
  StoredValue,
  VersionedEngine,
} from "./stores/index.ts";

// Errors thrown at programmers and by adapters
export { ToolContractError } from "./shared/index.ts";
export { EscalationError } from "./message/index.ts";
export { CallFailedError, CallRefusedError } from "./call/index.ts";

// Observability
export type {
  CallAdmittedEvent,
  CallCounts,
  CodeCounts,
  CallEscalatedEvent,
  CallEvent,
  CallExecutedEvent,
  CallRecoveredEvent,
  CallRejectedEvent,
  CallRepairedEvent,
  ContractDegradedEvent,
  ContractEventMap,
  ContractLogger,
  ErrorPlace,
  FailureLogFields,
  FaultLogFields,
  LogFields,
  RecoveryLogFields,
  MetricsSnapshot,
  PassedLogFields,
  RepairLogFields,
  TelemetryApi,
  TelemetryOptions,
} from "./observe/index.ts";
