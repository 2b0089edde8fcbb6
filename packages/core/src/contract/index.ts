export {
  type CheckOptions,
  type Contract,
  type ContractSettings,
  type HandleContext,
  authorOf,
  mayBeCalled,
} from "./contract.ts";
export { createContract } from "./create-contract.ts";
export { type StandardContractOptions, createStandardContract } from "./standard-contract.ts";
export type { Author } from "./author.ts";
export { OPTIONS, type ContractOptions, type OptionName } from "./options.ts";
export { type CallerOptions, type WithContract, contractFrom } from "./contract-from.ts";
export type { ContextSource } from "./with-context.ts";
