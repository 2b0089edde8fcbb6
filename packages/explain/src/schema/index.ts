export {
  type CompileJudge,
  type CompiledSchema,
  FORMAT_NAMES,
  type JudgedFault,
  type SchemaCache,
  type SchemaEngine,
  type SchemaJudge,
  compileSchema,
  createCompilingCache,
  createSchemaCache,
  describeSchema,
  formatOf,
  sharedCache,
} from "./compile/index.ts";
export { indexSchema, refOverrides } from "./document/index.ts";
export {
  type ExpectationOptions,
  brokenLimit,
  expectationOf,
  hintForType,
  hintForValue,
  nearest,
} from "./facts/index.ts";
export type { PatternEngine } from "./pattern/index.ts";
export { isMultiple } from "./walk/index.ts";
