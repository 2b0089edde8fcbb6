export { byCloseness, closestOf } from "./by-closeness.ts";
export {
  type ExpectationOptions,
  acceptsNothing,
  brokenLimit,
  countLimits,
  expectationOf,
} from "./expectation-of.ts";
export { hintForType, isNothing } from "./hints.ts";
export { inMeaning } from "./in-meaning.ts";
export { statedForm } from "./stated-form.ts";
export { hintForItems } from "./items-in-string.ts";
export { narrowed } from "./narrowed.ts";
export { longForm, nearest, stemOf, wordsOf } from "./near-name.ts";
export { allowedValues, hintForValue, nearestValue } from "./nearest-value.ts";
export { hintForCase, hintForFormat } from "./string-hints.ts";
export { resembles, standsFor } from "./sole-name.ts";
export { restrains } from "./restrains.ts";
export { hintForNeedless, isOfEnvelope } from "./needless.ts";
