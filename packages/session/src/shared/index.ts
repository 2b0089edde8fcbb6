export { cleanLine } from "./clean-line.ts";
export type { AccountingEntry, LlmEntry, TokenUsage, ToolEntry, TraceIds } from "./entries.ts";
export type { ErrorKind } from "./errors.ts";
export { ProviderError, FATAL, RunOver, ToolFailed, TurnFailed } from "./errors.ts";
export type { ForcedReason, SessionEvent } from "./events.ts";
export { jsonText } from "./json-text.ts";
export type {
  PricedUsage,
  QueueConfig,
  Queues,
  RequestTimeout,
  SessionLimits,
  Target,
  TargetLimits,
  TokenPrice,
  Transport,
} from "./limits.ts";
export type { ReplyFacts } from "./reply.ts";
export type {
  AIAgentResult,
  FailureReason,
  FinalReport,
  RanEffect,
  ReportFormat,
} from "./report.ts";
export { RunError, type RunErrorCategory } from "./run-error.ts";
export type {
  NextTool,
  NextTurn,
  OfferedName,
  XmlCall,
  XmlCallEvent,
  XmlEnd,
  XmlEvent,
  XmlFinalEvent,
  XmlIgnoredEvent,
  XmlMessage,
  XmlRequestMessage,
  XmlResult,
  XmlRun,
  XmlScanner,
  XmlState,
  XmlTransport,
} from "./xml.ts";
export {
  CONTEXT_EXCEEDED,
  CUT_NOTICE,
  EMPTY_NOTICE,
  FILTERED_NOTICE,
  FINAL_INSTRUCTION,
  LAST_TURN,
  leftOut,
  noProgress,
  noticeInText,
  NUDGE_NOTICE,
  REASONING_NOTICE,
  REPORT_TOOL,
  SHORTER_NOTICE,
  TIMEOUT,
  toolFailed,
  tooManyCalls,
  truncationNotice,
  unsaidFailure,
  UNREADABLE_NOTICE,
} from "./texts.ts";
