// Guardrails
export { after } from "./after.ts";
export type { AfterTools } from "./after.ts";
export { guardrailFor } from "./guardrail-for.ts";
export type { ArgumentsOf } from "./guardrail-for.ts";
export { createGuardrails } from "./create-guardrails.ts";
export type {
  GuardrailErrorContext,
  Guardrails,
  GuardrailsOptions,
  StateChangeOf,
} from "./create-guardrails.ts";
export type { Feedback } from "./feedback.ts";
export type { RunOptions, RunResult } from "./run.ts";
export type {
  Guardrail,
  GuardrailClass,
  GuardrailContext,
  RanScope,
  ReplaceResult,
  TerminalReason,
  TerminalReasonMap,
  Verdict,
  Violation,
} from "./shared/index.ts";

// Limits
export { memoryLedger } from "./ledger/index.ts";
export type {
  Amounts,
  Evidence,
  OpenEntry,
  Reconciled,
  Spend,
  SpendContext,
} from "./ledger/index.ts";
export type { LimitOptions, LimitScope, LimitUsage, Per, Spender } from "./shared/index.ts";

// Grants
export type { GrantOptions, GrantStore, GrantedBy } from "./grants/index.ts";
export type { AskPerson } from "./shared/index.ts";

// Paths
export { pathInside } from "./path-inside.ts";

// State
export type { ReadOnly, Staged, StateStore } from "./shared/index.ts";
export type {
  Codec,
  ScopedStore,
  SlotStoreOptions,
  SqliteDatabase,
  SqliteParameter,
  SqliteStatement,
  SqliteValue,
  StateScope,
} from "./state/index.ts";
export { slotStore, sqliteStore, UncopyableStateError } from "./state/index.ts";

// Attempts
export { currentAttempt } from "./transaction/index.ts";
export type { TimeLimits } from "./transaction/index.ts";
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
export { GUARDRAIL_CODES } from "./shared/index.ts";
