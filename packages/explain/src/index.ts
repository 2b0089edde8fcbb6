// The public surface of @toolcontract/explain. Named exports only.

// Explaining
export { explain, explainAsync } from "./explain.ts";
export type { Degradation } from "./degradation-logger.ts";
export type { ExplainOptions } from "./explain.ts";
export { formatFindings } from "./format-findings.ts";
export type { FindingsFormat } from "./format-findings.ts";

// Findings
export { ERROR_CODES } from "./shared/index.ts";
export type {
  ErrorCode,
  ErrorCodeMap,
  JsonSchema,
  SchemaObject,
  Severity,
  ValidationError,
} from "./shared/index.ts";
export type { MessageStyle } from "./words/index.ts";

// What options take
export type { RedactionContext, Redactor } from "./sanitize/index.ts";
export type { CompileJudge, JudgedFault, PatternEngine, SchemaJudge } from "./schema/index.ts";

// Thrown at programmers
export { ToolContractError } from "./shared/index.ts";
