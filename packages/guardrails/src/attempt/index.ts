export { type AnyGuardrail, runChecks } from "./checks.ts";
export { commitFault } from "./commit-fault.ts";
export { currentAttempt } from "./current.ts";
export { createHealth } from "./health.ts";
export {
  type AttemptEnd,
  type Failed,
  type Refused,
  failedIn,
  notPossible,
  violatedBy,
} from "./ends.ts";
export { NOTHING_DONE } from "./live-attempt.ts";
export { performAttempt } from "./perform.ts";
export { type AttemptRequest, type Engine, type TimeLimits, factsOf } from "./request.ts";
export { type PolicyOptions, type ToolPolicy, createPolicies } from "./policy.ts";
export { type CallPlace, type RunOfTool, createSequences, keyOf } from "./sequences.ts";
export { type Trace, type TraceServices, openTrace } from "./trace.ts";
