export { type Elsewhere, checkMembers } from "./check-members.ts";
export {
  type CodeOption,
  type DataRule,
  type FileOption,
  type Option,
  type OptionRule,
  type OptionRules,
  type OptionTable,
  byToolName,
  defaultsOf,
  isBoolean,
  isFunction,
  isFunctionList,
  isObject,
  isString,
  oneOf,
  wholeFrom,
} from "./option-rules.ts";
