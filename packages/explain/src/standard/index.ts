export { jsonSchemaOf } from "./json-schema-of.ts";
export { type Validation, validateStandard } from "./validate-standard.ts";
