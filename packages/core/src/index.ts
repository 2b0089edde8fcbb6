// The public surface of @toolcontract/core, in reading order. Named exports only.

// The contract
export {
  createContract,
  type CheckOptions,
  type Contract,
  type ContractOptions,
  type ContractSettings,
  type HandleContext,
} from "./contract/index.ts";
export {
  type CallContext,
  type RejectContext,
  type ToolTable,
  type Admission,
  type Admitted,
  type Blocked,
  type CheckResult,
  type Execute,
  type ExecuteContext,
  type Executed,
  type Failed,
  type Handled,
  type HandledInTurn,
  type InvalidArguments,
  type Rejected,
  type ValidArguments,
  type WireOutput,
  resultMarker,
  toAnthropic,
  toOpenAI,
  toToolMessage,
  type AnthropicToolResult,
  type OpenAIToolMessage,
  type ToolMessage,
  type ToolResult,
  CallFailedError,
  CallRefusedError,
} from "./call/index.ts";
export {
  defineTool,
  type CallTool,
  type ExecutionStage,
  type Formatter,
  type FormatterContext,
  type PackageLogFields,
  type Rule,
  type RuleContext,
  type RuleError,
  type StageAnswer,
  type StageContext,
  type StageFailure,
  type StageLane,
  type StageRefusal,
  type StageReports,
  type StagedCall,
  type ToolCall,
  type ToolDefinition,
  type Lane,
  type TypedOutcome,
  type Undone,
  type AttemptError,
  type AttemptRecord,
} from "./shared/index.ts";
export {
  type JsonSchema,
  type SchemaObject,
  type PatternEngine,
  type RedactionContext,
  type Redactor,
  ERROR_CODES,
  isErrorCode,
  meaningOf,
  type ErrorCode,
  type ErrorCodeMap,
  type Severity,
  type ValidationError,
  type MessageStyle,
  ToolContractError,
} from "@toolcontract/explain";
export { type Repair, type RepairStep, FORMAT_VERSION } from "@toolcontract/explain/adapter";
export {
  type Escalation,
  type SerializedEscalation,
  type FormatOptions,
  type ParsedRejection,
  parseRejection,
  EscalationError,
} from "./message/index.ts";
export {
  countAttempts,
  createMemoryStore,
  createRetryTracker,
  readResultMarker,
  type AttemptChange,
  type AttemptCount,
  type AttemptKey,
  type AttemptScope,
  type AttemptState,
  type AttemptStatus,
  type AttemptStore,
  type AttemptUpdate,
  type CountAttemptsOptions,
  type MemoryStore,
  type MemoryStoreOptions,
  type ModelTurn,
  type ResultMarker,
  type ResultStatus,
  type RetryTracker,
  type RetryTrackerOptions,
  type StoreOutage,
  type TrackedCall,
  type TrackedFailure,
  type TurnCall,
  type TurnResult,
} from "./attempts/index.ts";
export {
  createLocalStore,
  createVersionedStore,
  withFallback,
  type EntryOptions,
  type FallbackOptions,
  type LocalEngine,
  type StoredValue,
  type VersionedEngine,
} from "./stores/index.ts";
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

// What enters: calls and tools

// What leaves: errors, decisions and results

// The message and its parser

// Counting attempts

// Where attempts are kept

// Errors thrown at programmers and by adapters

// Observability
