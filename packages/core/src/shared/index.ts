// Calls and tools
export {
  type Formatter,
  type FormatterContext,
  type Rule,
  type RuleContext,
  type RuleError,
  type ToolCall,
  type ToolDefinition,
  checkDefinition,
  defineTool,
} from "./tool.ts";

// Faults and errors
export {
  type ExpectedField,
  type Expectation,
  type Hint,
  type JsonRule,
  type Limits,
  type NumberLimits,
  type Reason,
  sameExpectation,
} from "./facts.ts";
export {
  type Finding,
  type PathSegment,
  type Variant,
  comparePaths,
  compareText,
  withoutHint,
} from "./finding.ts";
export { FORMAT_VERSION } from "./format-version.ts";
export { VERSION } from "./version.ts";
export { SEVERITIES, type Severity, type ValidationError } from "./validation-error.ts";
export {
  ERROR_CODES,
  type ErrorCode,
  type ErrorCodeMap,
  type ErrorCodeSet,
  errorCodePage,
  isErrorCode,
  looksLikeErrorCode,
  meaningOf,
  registerErrorCodes,
} from "./error-codes.ts";
export { LANES, type Lane, type TypedOutcome } from "./lane.ts";
export type {
  CallTool,
  ExecutionStage,
  PackageLogFields,
  StageAnswer,
  StageContext,
  StageFailure,
  StageLane,
  StageRefusal,
  StageReports,
  StagedCall,
  Undone,
} from "./stage.ts";
export type { AttemptError, AttemptRecord } from "./attempt.ts";
export { ToolContractError } from "./tool-contract-error.ts";

// The small kit
export { isMarked } from "./is-marked.ts";
export {
  type JsonSchema,
  type SchemaObject,
  duplicateItems,
  hasField,
  isRecord,
  jsonEqual,
  jsonTypeOf,
  matchesType,
  stringsOf,
  typesOf,
} from "./json.ts";
export { type MaybePromise, all, chain, isPromiseLike } from "./maybe-promise.ts";
export { type RecentMap, createRecentMap, createSeenOnce, remembered } from "./bounded-cache.ts";
