export { checkArray } from "./array.ts";
export { checkComposition, checkReference } from "./composition.ts";
export { fitsAs } from "./stray-fields.ts";
export { addOwnWords } from "./own-words.ts";
export { noteMistyped } from "./notes.ts";
export { checkObject } from "./object.ts";
export { checkNumber, checkString, checkType, isMultiple } from "./scalar.ts";
export { createMemory } from "./memory.ts";
export { pathOfPlace, rootPlace } from "./place.ts";
export { BareFault, reportFinding } from "./report.ts";
export { checkUnevaluated, closeObject } from "./unevaluated.ts";
export {
  type Evaluated,
  type Fields,
  type WalkOutcome,
  type SchemaLocation,
  type Visit,
  type Walk,
  addEvaluated,
  createNames,
  nothingEvaluated,
  passes,
  under,
} from "./walk.ts";
