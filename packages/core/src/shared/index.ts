// Calls and tools
export type {
  ArgumentsOf,
  Execute,
  Fitting,
  ExecuteContext,
  Formatter,
  FormatterContext,
  HostContext,
  Rule,
  RuleContext,
  RuleError,
  RunnableTool,
  TextCall,
  ToolCall,
  ToolDefinition,
} from "./tool.ts";
export { checkDefinition, checkShape } from "./check-definition.ts";
export { defineTool } from "./define-tool.ts";
export { givenName } from "./given-name.ts";
export { picturesLeftOut } from "./left-out.ts";
export { madeId } from "./made-id.ts";
export { meantTool, toolsByCloseness } from "./meant-tool.ts";
export { VERSION } from "./version.ts";
export { LANES, type Lane, type TypedOutcome } from "./lane.ts";
export type {
  CallTool,
  ExecutionStage,
  PackageLogFields,
  StageAnswer,
  StageContext,
  StageFailure,
  StageLane,
  StageFeedback,
  StageRefusal,
  CallElsewhere,
  CallsElsewhere,
  ReturnedElsewhere,
  StageReports,
  StagedCall,
  Undone,
} from "./stage.ts";
export type { AskReason, AskRequest } from "./ask.ts";
export type { AttemptSummary, AttemptRecord, CodeCounts } from "./attempt.ts";
export {
  type Ledger,
  type LedgerClaim,
  type LedgerEnd,
  type LedgerEntry,
  type LedgerShortage,
  type LedgerTotals,
  addAmounts,
  fitsAccount,
} from "./ledger.ts";
