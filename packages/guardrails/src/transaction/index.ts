export type { AnyGuardrail, Found } from "./read-verdict.ts";
export { type AskedCall, askingAbout } from "./check-context.ts";
export { runChecks } from "./checks.ts";
export { isRunning, isWithin } from "./begin.ts";
export { commitFault } from "./commit-fault.ts";
export { isGranted, requestFor, splitFound } from "./consent.ts";
export { currentAttempt } from "./current.ts";
export {
  type AskedTransaction,
  type Ended,
  type FailedTransaction,
  type RefusedTransaction,
  type TransactionEnd,
  failedIn,
  notPossible,
  unknownOutcome,
  violatedBy,
  withoutRun,
} from "./judgement.ts";
export { type PolicyOptions, type ToolPolicy, createPolicies } from "./policy.ts";
export {
  type Engine,
  type ObservedEnd,
  type TimeLimits,
  type TransactionRequest,
  engineFor,
} from "./request.ts";
export { transact } from "./transact.ts";
