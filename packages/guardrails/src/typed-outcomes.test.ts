import { expect, test } from "vitest";
import { outcomeOf } from "./typed-outcomes.ts";

test.each([
  ["missing_credentials", "Credentials are missing for pay"],
  ["dependency_unavailable", "A dependency is not available for pay"],
  ["unsupported_capability", "A capability is not supported for pay"],
  ["guardrail_failed", "A guardrail failed for pay"],
  ["outcome_unknown", "Nobody knows what came of pay"],
  ["state_not_committed", "State could not be committed for pay"],
  ["account_frozen", "No call can succeed for pay"],
])("a tool that %s closes: %s", (closes, error_message) => {
  expect(outcomeOf("pay", { lane: "outcome", type: "http_401", closes }, 1)).toEqual({
    status: "error",
    error_type: closes,
    error_message,
    retriable: false,
    metadata: { last_error_type: "http_401" },
  });
});

test("a lane whose retries are spent says how many there were, and what came last", () => {
  expect(outcomeOf("pay", { lane: "guardrail", type: "budget" }, 3)).toEqual({
    status: "error",
    error_type: "guardrail_retry_exhausted",
    error_message: "Recoverable guardrail retries exhausted for pay",
    retriable: false,
    metadata: { guardrail_recovery_attempts: 2, last_violation_type: "budget" },
  });
  expect(outcomeOf("pay", { lane: "outcome", type: "sold_out" }, 2)).toMatchObject({
    error_type: "outcome_repair_retry_exhausted",
    error_message: "Retriable outcome-error repairs exhausted for pay",
    metadata: { outcome_repair_attempts: 1, last_error_type: "sold_out" },
  });
});
