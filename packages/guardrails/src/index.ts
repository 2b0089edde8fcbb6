// Guardrails
export type {
  Guardrail,
  GuardrailClass,
  GuardrailContext,
  TerminalReason,
  Verdict,
  Violation,
} from "./shared/index.ts";

// State
export type { ReadOnly, Staged, StateStore } from "./shared/index.ts";
export type { Codec, SlotStoreOptions } from "./state/index.ts";
export { slotStore, UncopyableStateError } from "./state/index.ts";

// Effects
export type { Attempt, Compensation, Effect, InverseCall, Performed } from "./shared/index.ts";

// Outcomes
export { GuardrailViolation, Outcome } from "./outcome/index.ts";
export type {
  ErrorOutcome,
  ErrorOutcomeOptions,
  OkOutcome,
  OutcomeFactory,
} from "./outcome/index.ts";
export type { Classification, Classify, FailureClass, FailureContext } from "./shared/index.ts";

// Telemetry
export type {
  AttemptEvent,
  AttemptFailure,
  AttemptStage,
  FailureStage,
  ToolHealth,
  ToolPressureEvent,
} from "./shared/index.ts";
export { GUARDRAIL_CODES, registerGuardrailCodes } from "./shared/index.ts";
