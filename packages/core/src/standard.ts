// A contract for tools with validators, without the validator for JSON Schema: @toolcontract/core/standard.

export { createStandardContract as createContract } from "./contract/index.ts";
export type { StandardContractOptions as ContractOptions } from "./contract/index.ts";
