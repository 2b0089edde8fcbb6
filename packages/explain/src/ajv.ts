// Ajv as the judge of JSON Schemas: @toolcontract/explain/ajv.

export { compileAjv } from "./ajv/index.ts";
export type { CompileJudge, JudgedFault, SchemaJudge } from "./schema/index.ts";
