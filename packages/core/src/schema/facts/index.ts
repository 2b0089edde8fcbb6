export { ANYTHING, describe } from "./expectation.ts";
export { allowedValues, hintForType, hintForValue, nearValue } from "./hints.ts";
export { nearest } from "./near-name.ts";
export {
  LEAVE_OUT,
  alternatives,
  listNames,
  listTexts,
  listValues,
  measured,
  plainName,
  plural,
} from "./words.ts";
