export {
  type Elsewhere,
  type OptionRule,
  type OptionRules,
  byToolName,
  checkMembers,
  isBoolean,
  isFunction,
  isFunctionList,
  isObject,
  isString,
  oneOf,
  wholeFrom,
} from "./option-rules.ts";
