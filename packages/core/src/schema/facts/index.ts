export {
  type ExpectationOptions,
  acceptsNothing,
  brokenLimit,
  countLimits,
  expectationOf,
} from "./expectation-of.ts";
export { allowedValues, hintForType, hintForValue, nearestValue } from "./hints.ts";
export { nearest } from "./near-name.ts";
export { resembles, standsFor } from "./sole-name.ts";
