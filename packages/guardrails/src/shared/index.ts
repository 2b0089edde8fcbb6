export type {
  AskPerson,
  Guardrail,
  GuardrailClass,
  GuardrailContext,
  RanScope,
  ReplaceResult,
  TerminalReason,
  TerminalReasonMap,
  Verdict,
  Violation,
} from "./guardrail.ts";
export { TERMINAL_REASONS, isTerminalReason, registerTerminalReasons } from "./guardrail.ts";
export {
  GUARDRAIL_ROWS,
  VIOLATION_ROWS,
  checkClass,
  namesRule,
  withMethods,
} from "./guardrail-rows.ts";
export type { ReadOnly, Staged, StateStore } from "./store.ts";
export { EFFECTS } from "./effects.ts";
export type { Compensation, Effect, InverseCall, Performed } from "./effects.ts";
export type { MaybePromise } from "@toolcontract/core/adapter";
export type { Attempt } from "./attempt.ts";
export type {
  AttemptEvent,
  AttemptFailure,
  AttemptStage,
  FailureStage,
  ToolHealth,
  ToolPressureEvent,
} from "./telemetry.ts";
export type { Classification, Classify, FailureClass, FailureContext } from "./classification.ts";
export { FAILURE_CLASSES } from "./classification.ts";
export { GUARDRAIL_CODES, registerGuardrailCodes } from "./codes.ts";
export { MissingPlaceError, isMissingPlace } from "./missing-place.ts";
export { type Spender, scopeOwner, scopeOf, userName } from "./scopes.ts";
export type { LimitOptions, LimitScope, LimitUsage, Per } from "./limits.ts";
export { lazily } from "./lazily.ts";
