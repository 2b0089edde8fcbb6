export { compileSchema } from "./compile-schema.ts";
export type { CompiledSchema, SchemaEngine } from "./compiled-schema.ts";
export { describeSchema } from "./open-schema.ts";
export { type SchemaCache, createSchemaCache } from "./schema-cache.ts";
export { createCompilingCache, sharedSchemaCache } from "./shared-schema-cache.ts";
