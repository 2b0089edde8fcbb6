export { dropNulls } from "./drop-nulls.ts";
export { isCutOff } from "./find-root.ts";
export { hasInexactNumbers } from "./inexact-numbers.ts";
export {
  type Ending,
  endingOf,
  type FinishReason,
  isCuttingFinishReason,
  isWholeOutput,
  lastFinishReason,
  unifiedFinishReason,
} from "./finish-reason.ts";
export { type ParseOptions, parseArguments } from "./parse-arguments.ts";
export type { Repair, RepairStep } from "./repair.ts";
export { sentDigits } from "./sent-digits.ts";
export {
  type Unwrapped,
  emptyArguments,
  parseNestedJson,
  parseNestedLiteral,
  replaceAt,
  unwrapNested,
} from "./unwrap-strings.ts";
