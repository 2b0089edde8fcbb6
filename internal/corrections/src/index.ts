// What a scripted model sends after a message.
export { type Change, type Correction, applyHints } from "./apply-hints.ts";
export { placeholdersIn } from "./placeholder.ts";

// The parts that the recovery benchmark measures alone
export { type Complaint, type Fix, correctCall, readFix, takeSteps } from "./correct-call.ts";
export type { Expectation } from "./read-expectation.ts";
export { followHints } from "./follow-hints.ts";

// JSON Pointers
export { childOf, lastKey, parentOf, valueAt, without, withValue } from "./json-pointer.ts";
