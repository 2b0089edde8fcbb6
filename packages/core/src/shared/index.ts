export type { AttemptError, AttemptRecord } from "./attempt.ts";
export { type RecentMap, createRecentMap, createSeenOnce, remembered } from "./bounded-cache.ts";
export {
  type Fault,
  type Finding,
  type PathSegment,
  comparePaths,
  compareText,
  withoutHint,
} from "./finding.ts";
export { FORMAT_VERSION } from "./format-version.ts";
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
export { ToolContractError } from "./tool-contract-error.ts";
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
export {
  ERROR_CODES,
  type ErrorCode,
  SEVERITIES,
  type Severity,
  type ValidationError,
  isErrorCode,
} from "./validation-error.ts";
