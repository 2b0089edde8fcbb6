export { type CompiledSchema, type SchemaEngine, compileSchema } from "./compile-schema.ts";
export { type SchemaCache, createSchemaCache, sharedSchemaCache } from "./schema-cache.ts";
