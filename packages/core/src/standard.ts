// A contract for tools with validators, without the validator for JSON Schema: @toolcontract/core/standard.

export {
  createStandardContract as createContract,
  type StandardContractOptions as ContractOptions,
} from "./contract/index.ts";
