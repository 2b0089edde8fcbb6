export {
  type CompileJudge,
  type CompiledSchema,
  FORMAT_NAMES,
  type JudgedFault,
  type SchemaCache,
  type SchemaEngine,
  type SchemaJudge,
  type SchemaParts,
  WalkBudgetExceeded,
  compileSchema,
  createCompilingCache,
  createSchemaCache,
  describeSchema,
  formatOf,
  schemaParts,
  sharedCache,
} from "./compile/index.ts";
export {
  type Contradiction,
  contradictionsIn,
  fromGeminiSchema,
  indexSchema,
  keywordKinds,
  readType,
  refOverrides,
  subschemaPlaces,
} from "./document/index.ts";
export {
  type ExpectationOptions,
  brokenLimit,
  expectationOf,
  hintForType,
  allowedValues,
  hintForNeedless,
  hintForValue,
  longForm,
  narrowed,
  nearest,
  wordsOf,
} from "./hints/index.ts";
export { compilePattern, type PatternEngine } from "./pattern/index.ts";
export { isMultiple } from "./walk/index.ts";
