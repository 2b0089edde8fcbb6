export { classifyFailure, isFailedResult } from "./classify-failure.ts";
export type { ClassifiedFailure } from "./classify-failure.ts";
export { failureMessage } from "./failure-message.ts";
export { GuardrailViolation } from "./guardrail-violation.ts";
export { isNotDone, isOutcome, Outcome } from "./outcome.ts";
export type { ErrorOutcome, ErrorOutcomeOptions, OkOutcome, OutcomeFactory } from "./outcome.ts";
export { isPlainObject } from "./read.ts";
