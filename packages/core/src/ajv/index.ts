export { compileAjv } from "./ajv-judge.ts";
export { type SchemaOptions, createAjvCache, sharedSchemaCache } from "./shared-schema-cache.ts";
