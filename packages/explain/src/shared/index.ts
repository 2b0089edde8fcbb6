export { SlotMap, SlotSet } from "./slot-map.ts";
export { type RecentMap, createRecentMap, createSeenOnce, remembered } from "./bounded-cache.ts";
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
export {
  type Expectation,
  type ExpectedField,
  type Hint,
  type JsonRule,
  type Limits,
  type Note,
  type NumberLimits,
  type Reason,
  canonicalExpectation,
  sameExpectation,
} from "./facts.ts";
export {
  type Finding,
  type PathSegment,
  type Variant,
  comparePaths,
  compareText,
  isBlocking,
  startsWith,
  withoutHint,
} from "./finding.ts";
export { FORMAT_VERSION } from "./format-version.ts";
export { escapeKey, jsonPointer, pointerKeys, unescapeKey } from "./json-pointer.ts";
export { isMarked } from "./is-marked.ts";
export {
  type Identify,
  JSON_TYPES,
  type JsonSchema,
  type SchemaObject,
  canonicalText,
  createIdentities,
  duplicateItems,
  hasField,
  isJson,
  isRecord,
  jsonEqual,
  jsonOrText,
  type JsonType,
  jsonTypeOf,
  matchesType,
  parseJson,
  stringsOf,
  typesOf,
} from "./json.ts";
export { type MaybePromise, all, chain, isPromiseLike } from "./maybe-promise.ts";
export { ToolContractError } from "./tool-contract-error.ts";
export { SEVERITIES, type Severity, type ValidationError } from "./validation-error.ts";
