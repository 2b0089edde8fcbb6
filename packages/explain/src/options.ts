// The rows of option tables, without what judges values: @toolcontract/explain/options. Its names may change between minors.

export {
  byToolName,
  defaultsOf,
  filled,
  isBoolean,
  isBooleanOr,
  isFunction,
  isFunctionList,
  isObject,
  isString,
  oneOf,
  wholeFrom,
} from "./options/index.ts";
export type {
  CodeOption,
  DataRule,
  FileOption,
  Option,
  OptionRule,
  OptionRules,
  OptionTable,
} from "./options/index.ts";
