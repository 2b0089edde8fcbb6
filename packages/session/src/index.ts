// The public surface of @toolcontract/session, in reading order. Named exports only.

// The limits of a run
export type { RequestTimeout, SessionLimits, TargetLimits } from "./shared/index.ts";

// Attempts (section 3 of the AI Agent Contract), and which answers need another one (section 2)
export { judgeReply, runRequests } from "./requests/index.ts";
export type { RequestOptions, FailedRequest, JudgeOptions } from "./requests/index.ts";
export { ProviderError, TurnFailed } from "./shared/index.ts";
export type { ErrorKind, ReplyFacts } from "./shared/index.ts";

// The context window (section 2)
export { createContextGuard, estimateTokens } from "./context/index.ts";
export type { ContextGuard, Exceeded, GuardedTarget, TurnProjection } from "./context/index.ts";
export type { TokenUsage } from "./shared/index.ts";

// Tools: queues, time limits, sizes, failures (sections 1 and 6)
export {
  checkQueues,
  createQueues,
  failureReason,
  truncateText,
  truncateTexts,
  withTimeout,
} from "./tools/index.ts";
export type { HeldSlot, TimeLimit, TruncatedText, TruncatedTexts } from "./tools/index.ts";
export { ToolFailed, toolFailed } from "./shared/index.ts";
export type { QueueConfig, Queues } from "./shared/index.ts";

// The final report (section 5)
export { failureReport, normalizeReport, reportTool } from "./report/index.ts";
export type {
  FailureOptions,
  NormalizedReport,
  ReportOptions,
  ReportTool,
  ReportValidator,
} from "./report/index.ts";
export type {
  FailureReason,
  FinalReport,
  RanEffect,
  ReportFormat,
  SessionEvent,
} from "./shared/index.ts";

// Accounting, traces and exit codes (sections 2 and 4)
export { exitCodeOf, llmEntry, priceOf, withTrace } from "./accounting/index.ts";
export type { ExitCode, LlmFacts, ToolFacts } from "./accounting/index.ts";
export { RunError } from "./shared/index.ts";
export type { RunErrorCategory } from "./shared/index.ts";
export type {
  AccountingEntry,
  LlmEntry,
  PricedUsage,
  ToolEntry,
  TraceIds,
} from "./shared/index.ts";

// One run, for adapters and loops of your own
export { createSession } from "./run/index.ts";
export type {
  Ask,
  TargetRequest,
  CallToRun,
  Drive,
  LoopEnd,
  OfferedTool,
  Session,
  SessionHost,
  SessionOptions,
  SessionRun,
  ShownResult,
  SplitOptions,
  ToolCallLimits,
  TurnRequest,
} from "./run/index.ts";
export type { AIAgentResult, Target, TokenPrice, Transport, XmlTransport } from "./shared/index.ts";
