export {
  type CompiledSchema,
  type SchemaCache,
  type SchemaEngine,
  createCompilingCache,
  createSchemaCache,
  describeSchema,
  sharedSchemaCache,
} from "./compile/index.ts";
export { indexSchema } from "./document/index.ts";
export {
  type ExpectationOptions,
  brokenLimit,
  expectationOf,
  hintForType,
  hintForValue,
  nearest,
} from "./facts/index.ts";
export type { PatternEngine } from "./pattern/index.ts";
