// For authors of adapters, beside the contract itself: @toolcontract/core/adapter.

export {
  authorOf,
  checkMembers,
  contractFrom,
  isBoolean,
  isFunction,
  isObject,
  isString,
  mayBeCalled,
  oneOf,
  wholeFrom,
} from "./contract/index.ts";
export type { Author, OptionRule, OptionRules, WithContract } from "./contract/index.ts";
export { isCuttingFinishReason } from "./arguments/index.ts";
export { isToolClosed } from "./attempts/index.ts";
export { blockedTool, isControlFlow, refusedWith } from "./call/index.ts";
export { createEscalation } from "./message/index.ts";
export type { EscalationParts, RejectionContent } from "./message/index.ts";
export type { CallOutcome } from "./observe/index.ts";
export { errorCodePage, registerErrorCodes } from "./shared/index.ts";
export type { ErrorCodeSet } from "./shared/index.ts";
export { nearest as nearestName } from "./schema/index.ts";
export { readMember, readThrown } from "./sanitize/index.ts";
export {
  ATTRIBUTES,
  ATTRIBUTE_VALUES,
  DEGRADED_ATTRIBUTES,
  LOG_RECORDS,
  METRICS,
  SPAN_ATTRIBUTES,
  errorClass,
  prometheusLabel,
  prometheusName,
} from "./observe/index.ts";
export type { MetricName } from "./observe/index.ts";
export { jsonSchemaOf } from "./standard/index.ts";
export { chain, createRecentMap, isPromiseLike, isRecord } from "./shared/index.ts";
export type { RecentMap } from "./shared/index.ts";
