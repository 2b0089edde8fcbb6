export { jsonSchemaOf } from "./json-schema-of.ts";
export { type StandardValidation, validateStandard } from "./validate-standard.ts";
