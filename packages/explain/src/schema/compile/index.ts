export { compileSchema } from "./compile-schema.ts";
export { WalkBudgetExceeded } from "./create-walk.ts";
export type { CompiledSchema, SchemaEngine } from "./compiled-schema.ts";
export { FORMAT_NAMES, formatOf } from "./format.ts";
export type { CompileJudge, JudgedFault, SchemaJudge } from "./judge.ts";
export { sharedCache } from "./shared-cache.ts";
export { type SchemaParts, schemaParts } from "./schema-parts.ts";
export { describeSchema } from "./open-schema.ts";
export { type SchemaCache, createCompilingCache, createSchemaCache } from "./schema-cache.ts";
