export { isCuttingFinishReason, type ParseOptions, parseArguments } from "./parse-arguments.ts";
export { parseNestedJson, replaceAt, unwrapNested } from "./unwrap-strings.ts";
export type { Repair, RepairStep } from "./repair.ts";
export { sentDigits } from "./sent-digits.ts";
