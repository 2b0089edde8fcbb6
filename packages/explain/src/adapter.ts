// For packages that build on the explainer: @toolcontract/explain/adapter. Its names may change between minors.

// The vocabulary and the kit
export {
  FORMAT_VERSION,
  SlotMap,
  SlotSet,
  JSON_TYPES,
  SEVERITIES,
  all,
  chain,
  createRecentMap,
  createSeenOnce,
  errorCodePage,
  isBlocking,
  isJson,
  isMarked,
  isPromiseLike,
  isRecord,
  jsonEqual,
  jsonOrText,
  jsonPointer,
  jsonTypeOf,
  isErrorCode,
  looksLikeErrorCode,
  meaningOf,
  matchesType,
  parseJson,
  pointerKeys,
  registerErrorCodes,
  startsWith,
} from "./shared/index.ts";
export type {
  ErrorCodeSet,
  Finding,
  JsonType,
  MaybePromise,
  PathSegment,
  RecentMap,
} from "./shared/index.ts";

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
} from "./options/index.ts";
export type {
  CodeOption,
  DataRule,
  Elsewhere,
  FileOption,
  Option,
  OptionRule,
  OptionRules,
  OptionTable,
} from "./options/index.ts";

// What is shown of foreign values
export {
  REDACTED,
  clip,
  coverSpans,
  createSanitizer,
  holdsToken,
  logLine,
  oneLine,
  quoteDeclaredName,
  quoteName,
  readCount,
  readEntries,
  readLength,
  readLine,
  readMember,
  readThrown,
  visibleJson,
} from "./sanitize/index.ts";
export type { Sanitizer } from "./sanitize/index.ts";

// Arguments as text
export {
  dropNulls,
  emptyArguments,
  endingOf,
  hasInexactNumbers,
  isCuttingFinishReason,
  isWholeOutput,
  lastFinishReason,
  parseArguments,
  unifiedFinishReason,
  unwrapNested,
} from "./arguments/index.ts";
export type {
  Ending,
  FinishReason,
  ParseOptions,
  Repair,
  RepairStep,
  Unwrapped,
} from "./arguments/index.ts";

// JSON Schemas
export {
  compilePattern,
  contradictionsIn,
  createSchemaCache,
  describeSchema,
  fromGeminiSchema,
  keywordKinds,
  byCloseness,
  nearest,
  readType,
  schemaParts,
  sharedCache,
  subschemaPlaces,
} from "./schema/index.ts";
export type { CompiledSchema, Contradiction, SchemaCache, SchemaParts } from "./schema/index.ts";

// Validators
export { isStandardSchema, jsonSchemaOf, thrownIssues, validatorFrom } from "./standard/index.ts";
export type { ValidatorFromOptions } from "./standard/index.ts";

// Words and bullets
export {
  COMPACT_BULLET,
  CUTS,
  CUT_STEPS,
  STANDARD_BULLET,
  countErrors,
  deriveMessage,
  errorsWithin,
  factsOf,
  formatBullet,
  formatMore,
  isValuePreview,
  mayNotBeKnown,
  parseCompactBullet,
  parseMore,
  parseStandardBullet,
  readFacts,
  readHint,
  shortenBullets,
  summarize,
  toBullets,
  toLevels,
  withFacts,
  withFactsOf,
  writeReason,
  writtenFacts,
} from "./words/index.ts";
export type { Bullet, Levels } from "./words/index.ts";

// From a value to errors
export {
  ACCEPT_ALL,
  buildErrors,
  judge,
  schemaValidator,
  standardValidator,
  undeclaredFields,
  write,
} from "./findings/index.ts";
export type { ErrorBuilding, OnFault, OverBudget, Validator } from "./findings/index.ts";

// What providers refuse of tools
export {
  REFUSED_SHAPES,
  isSchemaProvider,
  refusalsOfInput,
  refusalsOfOutput,
  refusalsOfTool,
  schemasFor,
  toProvider,
} from "./providers/index.ts";
export type {
  Change,
  FoundRefusal,
  Provider,
  ProviderSchema,
  RefusalSearch,
  RefusedShape,
  SchemaProvider,
  ShownSchema,
  ToolToSend,
} from "./providers/index.ts";
