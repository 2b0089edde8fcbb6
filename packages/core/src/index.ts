// The public surface of @toolcontract/core, in reading order. Named exports only.

// The contract
export { createContract } from "./contract/index.ts";
export type {
  CheckOptions,
  Contract,
  ContractOptions,
  ContractSettings,
  HandleContext,
  RunnableContext,
} from "./contract/index.ts";
export type { CallContext, RejectContext, ToolTable, UnavailableTool } from "./call/index.ts";

// What enters: calls and tools
export { defineTool } from "./shared/index.ts";
export type {
  CallTool,
  ArgumentsOf,
  Execute,
  ExecuteContext,
  Formatter,
  FormatterContext,
  Rule,
  RuleContext,
  RuleError,
  RunnableTool,
  TextCall,
  ToolCall,
  ToolDefinition,
} from "./shared/index.ts";
export type {
  JsonSchema,
  PatternEngine,
  RedactionContext,
  Redactor,
  SchemaObject,
} from "@toolcontract/explain";

// What leaves: errors, decisions and results
export { ERROR_CODES } from "@toolcontract/explain";
export { meaningOf } from "@toolcontract/explain/adapter";
export type { ErrorCode, ErrorCodeMap, Severity, ValidationError } from "@toolcontract/explain";
export type { Repair, RepairStep } from "@toolcontract/explain/adapter";
export type { AnswerContext, Answered } from "./call/index.ts";
export type {
  Admission,
  Admitted,
  Asked,
  Blocked,
  CheckResult,
  Executed,
  Failed,
  Handled,
  HandledInTurn,
  InvalidArguments,
  Refused,
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
export { FORMAT_VERSION } from "@toolcontract/explain/adapter";
export type { MessageStyle } from "@toolcontract/explain";
export type { FormatOptions, ParsedRejection } from "./message/index.ts";
export { parseRejection } from "./message/index.ts";

// A stored conversation
export { repairHistory } from "./history/index.ts";
export type {
  HistoryChange,
  HistoryProvider,
  RepairHistoryOptions,
  RepairedHistory,
} from "./history/index.ts";

// Counting attempts
export { countAttempts, createMemoryStore } from "./attempts/index.ts";
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
export type { AttemptSummary, AttemptRecord, CodeCounts } from "./shared/index.ts";

// What calls may do to the world
export type {
  AskReason,
  AskRequest,
  HostContext,
  Ledger,
  LedgerClaim,
  LedgerEnd,
  LedgerEntry,
  LedgerShortage,
  LedgerTotals,
} from "./shared/index.ts";

// Errors thrown at programmers and by adapters
export { ToolContractError } from "@toolcontract/explain";
export { EscalationError } from "./message/index.ts";
export { CallFailedError, CallRefusedError } from "./call/index.ts";

// Observability
export type {
  CallAdmittedEvent,
  CallCounts,
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
  MetricsSnapshot,
  PassedLogFields,
  RecoveryLogFields,
  RepairLogFields,
  TelemetryApi,
  TelemetryOptions,
} from "./observe/index.ts";
