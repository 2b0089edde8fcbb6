export { type WithContract, contractFrom } from "./contract-from.ts";
export {
  type CheckOptions,
  type Contract,
  type ContractSettings,
  type HandleContext,
  createContract,
} from "./contract.ts";
export {
  type Expectation,
  type Expectations,
  isBoolean,
  isFunction,
  isObject,
  isText,
  oneOf,
  wholeFrom,
} from "./expectation.ts";
export type { ContractOptions } from "./options.ts";
