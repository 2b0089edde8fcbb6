import { failureMessage } from "./outcome/index.ts";
import type { Trace } from "./trace/index.ts";
import type { Ended, RefusedTransaction, TransactionEnd } from "./transaction/index.ts";
import type { TypedOutcome } from "@toolcontract/core/stage";
import type { Feedback } from "./feedback.ts";
import { outcomeOf } from "./typed-outcomes.ts";

/** Records an attempt that guardrails or its outcome refused; `attempts` is how many its lane has. */
export function settleRefusal(
  tool: string,
  trace: Trace,
  refused: Ended<RefusedTransaction>,
  attempt: number,
  attempts: number,
): void {
  const { lane, rollback, closes, stage, type, found } = refused;
  const message = found.map((one) => one.message).join("; ");
  const kind = closes === undefined ? "recoverable_guardrail" : "terminal_guardrail";
  const violated = lane === "guardrail" ? ({ guardrail: type, class: kind } as const) : undefined;
  trace.failed(stage, type, message, violated);
  const isSpent = attempt >= attempts;
  const isOver = closes !== undefined || isSpent;
  trace.rolledBack({
    retry: !isOver,
    lane,
    attempt,
    exhausted: closes === undefined && isSpent,
    rollbackApplied: rollback.isWhole,
    failures: rollback.failures,
    ...(isOver && { outcome: outcomeOf(tool, refused, attempt) }),
  });
}

/** Records an attempt that failed and counts in no lane. */
export function settleUncounted(
  trace: Trace,
  end: Extract<TransactionEnd, { readonly kind: "failed" | "threw" }>,
): void {
  if (end.kind === "failed") trace.failed("outcome_policy", end.type, end.message ?? end.type);
  else if (end.failure)
    trace.failed("execution", end.failure.error_type, failureMessage(end.error));
  const { failures, isWhole } = end.rollback;
  trace.rolledBack({
    retry: false,
    attempt: 1,
    exhausted: false,
    rollbackApplied: isWhole,
    failures,
    retryAfterMs: end.failure?.retryAfterMs,
  });
}

/** Records a generation that produced nothing to run; its budget is its own. */
export function settleGeneration(
  trace: Trace,
  { violation_type, violation_message }: Pick<Feedback, "violation_type" | "violation_message">,
  outcome: TypedOutcome | undefined,
): void {
  trace.failed("validation", violation_type, violation_message);
  trace.rolledBack({
    retry: outcome === undefined,
    lane: "generation",
    attempt: 1,
    exhausted: outcome !== undefined,
    rollbackApplied: true,
    failures: [],
    outcome,
  });
}
