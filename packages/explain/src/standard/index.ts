export { isStandardSchema } from "./is-standard-schema.ts";
export { jsonSchemaOf } from "./json-schema-of.ts";
export { thrownIssues } from "./thrown-issues.ts";
export { type Validation, validateStandard } from "./validate-standard.ts";
export { validatorFrom, type ValidatorFromOptions } from "./validator-from.ts";
