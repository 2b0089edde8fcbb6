// For authors of adapters whose tools all have validators, without the validator for JSON Schema: @toolcontract/core/standard-adapter.

export * from "./adapter.ts";
// In place of that of `adapter.ts`, which brings ajv.
export { standardContractFrom as contractFrom } from "./contract/index.ts";
