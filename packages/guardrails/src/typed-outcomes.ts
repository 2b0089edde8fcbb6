import type { StageLane, TypedOutcome } from "@toolcontract/core/stage";
import type { RefusedTransaction } from "./transaction/index.ts";

const CLOSED_BY: Readonly<Record<string, string>> = {
  missing_credentials: "Credentials are missing for",
  dependency_unavailable: "A dependency is not available for",
  unsupported_capability: "A capability is not supported for",
  guardrail_failed: "A guardrail failed for",
  outcome_unknown: "Nobody knows what came of",
  state_not_committed: "State could not be committed for",
};

/**
 * The typed outcome of an attempt that closes its tool.
 *
 * Source: the guardrail recovery plan, "Exhaustion Outcome" and "Outcome-Repair Exhaustion Outcome".
 *
 * @param attempt - The number of the attempt in its lane, from 1.
 */
export function outcomeOf(
  tool: string,
  { lane, type, closes }: Pick<RefusedTransaction, "lane" | "type" | "closes">,
  attempt: number,
): TypedOutcome {
  const last = lane === "guardrail" ? { last_violation_type: type } : { last_error_type: type };
  if (closes !== undefined) {
    const words = CLOSED_BY[closes] ?? "No call can succeed for";
    return error(closes, `${words} ${tool}`, last);
  }
  return exhausted(lane, tool, { [ATTEMPTS[lane]]: attempt - 1, ...last });
}

const ATTEMPTS: Readonly<Record<StageLane, string>> = {
  generation: "generation_retry_attempts",
  guardrail: "guardrail_recovery_attempts",
  outcome: "outcome_repair_attempts",
};

const EXHAUSTED: Readonly<Record<StageLane, readonly [type: string, words: string]>> = {
  generation: ["generation_retry_exhausted", "Generation retries exhausted for"],
  guardrail: ["guardrail_retry_exhausted", "Recoverable guardrail retries exhausted for"],
  outcome: ["outcome_repair_retry_exhausted", "Retriable outcome-error repairs exhausted for"],
};

/** The typed outcome of a lane whose budget is spent. */
export function exhausted(
  lane: StageLane,
  tool: string,
  metadata: TypedOutcome["metadata"],
): TypedOutcome {
  const [type, words] = EXHAUSTED[lane];
  return error(type, `${words} ${tool}`, metadata);
}

function error(
  error_type: string,
  error_message: string,
  metadata: TypedOutcome["metadata"],
): TypedOutcome {
  return { status: "error", error_type, error_message, retriable: false, metadata };
}
