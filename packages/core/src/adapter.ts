// For authors of adapters, beside the contract itself: @toolcontract/core/adapter.

// Building on a contract
export {
  answerText,
  authorOf,
  contractFrom,
  createVerdictBook,
  isObserving,
  mayBeCalled,
} from "./contract/index.ts";
export type {
  AnswerJudging,
  Author,
  CallerOptions,
  ContextSource,
  JudgeContext,
  ModelGuarding,
  RunEnd,
  VerdictBook,
  WithContract,
} from "./contract/index.ts";
export {
  CallNotMade,
  blockedTool,
  isCallNotMade,
  isControlFlow,
  isPause,
  refusedWith,
} from "./call/index.ts";
export { createEscalation, failureOfAgent, noteGivenUp, toolToRetry } from "./message/index.ts";
export type { EscalationParts, RejectionContent } from "./message/index.ts";

// How loops end
export { lastWords, nextOffer } from "./call/index.ts";
export type { NextOffer, OfferFacts } from "./call/index.ts";
export { contentInWords, endedInWords, streamInWords, textParts } from "./history/index.ts";
export { UNKNOWN_TOOL, isToolClosed, readResultMarker } from "./attempts/index.ts";

// Histories that keep no markers
export { isMcpResult, mcpText } from "./call/index.ts";
export { hasFailed, readableArguments, toTurnResult } from "./call/index.ts";

// What providers take of a history
export {
  OUTCOME_UNKNOWN,
  continuesKept,
  repairPrompt,
  repairWith,
  sendableName,
} from "./history/index.ts";
export type { HistoryDialect, PromptTarget, SentCall } from "./history/index.ts";

// Stores of attempts
export {
  createKeyedQueue,
  createRetryTracker,
  isStore as isAttemptStore,
  readState as readAttemptState,
  stateOf as attemptStateOf,
  updateOf as attemptUpdateOf,
  writeState as writeAttemptState,
} from "./attempts/index.ts";
export type { KeyedQueue } from "./attempts/index.ts";

// Ledgers
export { addAmounts, fitsAccount } from "./shared/index.ts";

// Telemetry
export {
  ATTRIBUTES,
  ATTRIBUTE_VALUES,
  LOG_RECORDS,
  METRICS,
  SPAN_ATTRIBUTES,
  errorClass,
  prometheusLabel,
  prometheusName,
} from "./observe/index.ts";
export type { MetricName } from "./observe/index.ts";

// Options of a function
export {
  checkMembers,
  defaultsOf,
  filled,
  isBoolean,
  isFunction,
  isObject,
  isString,
  oneOf,
  wholeFrom,
} from "@toolcontract/explain/adapter";
export type {
  DataRule,
  FileOption,
  OptionRule,
  OptionRules,
  OptionTable,
} from "@toolcontract/explain/adapter";

// What something thrown says, and how long anything is waited for
export {
  LONGEST_TIMER_MS,
  causeChain,
  causesOf,
  durationOf,
  failureFacts,
  firstOf,
  isAnyObject,
  isArray,
  isError,
  isErrorStatus,
  isTimeLimit,
  namesOf,
  onAbort,
  partsOf,
  retryAfterIn,
  sleep,
  startLimit,
  statusOf,
  textsOf,
  timeLimitError,
  untilAborted,
  within,
} from "./kit/index.ts";
export type { FailureFacts, Limit, LimitOptions } from "./kit/index.ts";

// An object as an adapter shows it
export { viewOf } from "./kit/index.ts";

// Of the explainer
export {
  SlotMap,
  SlotSet,
  chain,
  createRecentMap,
  endingOf,
  errorCodePage,
  fromGeminiSchema,
  isCuttingFinishReason,
  hasInexactNumbers,
  isJson,
  isPromiseLike,
  isRecord,
  isSchemaProvider,
  isStandardSchema,
  isWholeOutput,
  jsonEqual,
  jsonOrText,
  jsonPointer,
  jsonSchemaOf,
  lastFinishReason,
  logLine,
  nearest as nearestName,
  oneLine,
  parseJson,
  pointerKeys,
  readMember,
  readThrown,
  registerErrorCodes,
  schemasFor,
  unifiedFinishReason,
  visibleJson,
  validatorFrom,
} from "@toolcontract/explain/adapter";
export type {
  Ending,
  ErrorCodeSet,
  MaybePromise,
  RecentMap,
  SchemaProvider,
  ShownSchema,
  ValidatorFromOptions,
} from "@toolcontract/explain/adapter";
