// The options of a contract as a table, for what reads them from elsewhere than code: @toolcontract/core/options. Its
// names may change between minors.

export { OPTIONS } from "./contract/index.ts";
export type { ContractOptions, OptionName } from "./contract/index.ts";
export type { CodeOption, FileOption, Option, OptionTable } from "@toolcontract/explain/options";
