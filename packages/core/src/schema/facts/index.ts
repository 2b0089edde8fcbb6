export { countLimits, expectationOf } from "./expectation-of.ts";
export { allowedValues, hintForType, hintForValue, nearValue } from "./hints.ts";
export { nearest } from "./near-name.ts";
