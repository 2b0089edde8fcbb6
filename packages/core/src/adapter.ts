// For authors of adapters, beside the contract itself: @toolcontract/core/adapter.

export {
  authorOf,
  contractFrom,
  mayBeCalled,
  type Author,
  type WithContract,
} from "./contract/index.ts";
export {
  checkMembers,
  isBoolean,
  isFunction,
  isObject,
  isString,
  oneOf,
  wholeFrom,
  type OptionRule,
  type OptionRules,
  isCuttingFinishReason,
  errorCodePage,
  registerErrorCodes,
  type ErrorCodeSet,
  nearest as nearestName,
  readMember,
  readThrown,
  jsonSchemaOf,
  chain,
  createRecentMap,
  isPromiseLike,
  isRecord,
  type RecentMap,
} from "@toolcontract/explain/adapter";
export { isToolClosed } from "./attempts/index.ts";
export { blockedTool, isControlFlow, refusedWith } from "./call/index.ts";
export { createEscalation, type EscalationParts, type RejectionContent } from "./message/index.ts";
export {
  type CallOutcome,
  ATTRIBUTES,
  ATTRIBUTE_VALUES,
  DEGRADED_ATTRIBUTES,
  LOG_RECORDS,
  METRICS,
  SPAN_ATTRIBUTES,
  errorClass,
  prometheusLabel,
  prometheusName,
  type MetricName,
} from "./observe/index.ts";
