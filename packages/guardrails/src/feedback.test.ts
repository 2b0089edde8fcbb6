import { expect, test } from "vitest";
import { type Guardrail, Outcome } from "./index.ts";
import { ownLoop } from "./testing/index.ts";

const small: Guardrail = {
  name: "small",
  check: ({ args }) =>
    (args as { readonly qty?: number }).qty === 9 && {
      message: "order exceeds stock",
      fieldPath: "/qty",
      hint: "lower qty",
    },
};
const frozen: Guardrail = {
  name: "frozen",
  tools: ["freeze"],
  class: "terminal_guardrail",
  reason: "missing_credentials",
  check: () => "no key sk-live-4242424242424242",
};
const after: Guardrail = {
  name: "after",
  stage: "commit",
  tools: ["add"],
  check: () => "too much",
};
const soldOut = (): unknown => Outcome.error("sold_out", "none left", { retriable: true });

const failed = { validation_result: "failed", guardrail_class: "recoverable_guardrail" };
const lowered = {
  ...failed,
  violation_type: "small",
  violation_message: "order exceeds stock",
  violation_location: "/qty",
  required_correction: "lower qty",
};

test("the result of a refused call has the feedback as data, and what is left of the budget", async () => {
  const { call } = ownLoop({
    effects: { add: "state", take: "state", freeze: "none" },
    guardrails: [small, frozen, after],
  });
  const feedbackOf = async (tool: string, args = {}, run: () => unknown = () => "ran") =>
    (await call(tool, run, args)).result.feedback;

  const big = { qty: 9 };
  expect(await feedbackOf("take", big)).toEqual({
    ...lowered,
    attempt_number: 1,
    remaining_budget: 2,
  });
  expect(await feedbackOf("take", big)).toMatchObject({ attempt_number: 2, remaining_budget: 1 });
  const last = await call("take", () => "ran", big);
  expect(last.result).toMatchObject({
    status: "blocked",
    feedback: { ...lowered, attempt_number: 3, remaining_budget: 0 },
    outcome: { error_type: "guardrail_retry_exhausted" },
  });
  expect(await feedbackOf("add")).toEqual({
    ...failed,
    violation_type: "after",
    violation_message: "too much",
    required_correction: "Change it so that the guardrail passes.",
    attempt_number: 1,
    remaining_budget: 2,
  });
  expect(await feedbackOf("freeze")).toEqual({
    validation_result: "failed",
    guardrail_class: "terminal_guardrail",
    violation_type: "frozen",
    violation_message: "no key [redacted]",
    required_correction:
      "Go on without the tool: no call of it can succeed until something outside changes.",
    attempt_number: 1,
    remaining_budget: 0,
  });
});

test("several violations are in one feedback, with the correction of each", async () => {
  const odd: Guardrail = {
    name: "odd",
    check: () => ({ message: "qty is odd", hint: "take an even qty" }),
  };
  const { call } = ownLoop({ effects: { take: "state" }, guardrails: [small, odd] });
  expect((await call("take", () => "ran", { qty: 9 })).result.feedback).toMatchObject({
    violation_message: "order exceeds stock; qty is odd",
    violation_location: "/qty",
    required_correction: "lower qty; take an even qty",
  });
});

test("a failure that may be repaired has feedback without a verdict of guardrails", async () => {
  const { call } = ownLoop({ effects: { take: "state" }, guardrails: [] });
  expect((await call("take", soldOut)).result.feedback).toEqual({
    violation_type: "sold_out",
    violation_message: "none left",
    required_correction: "Try another way: this one failed.",
    attempt_number: 1,
    remaining_budget: 1,
  });
  expect((await call("take", () => "taken")).result.feedback).toBeUndefined();
});

test("the log has a line for each attempt that failed and for the one that repaired it", async () => {
  const { call, lines } = ownLoop({ effects: { take: "state" }, guardrails: [small] });
  await call("take", () => "ran", { qty: 1 });
  expect(lines).toEqual([]);
  await call("take", () => "ran", { qty: 9 }, { id: "a" });
  await call("take", soldOut, {}, { id: "b" });
  await call("take", () => "taken", {}, { id: "c" });
  const ended = lines.filter(({ message }) => message === "Tool attempt ended");
  expect(ended.map(({ fields }) => fields)).toMatchObject([
    {
      level: "info",
      package: "guardrails",
      tool_name: "take",
      attempt_id: "a#1",
      attempt_stage: "rolled_back",
      attempt_stages: ["generated", "rolled_back"],
      validation_failure_type: "small",
      validation_result: "failed",
      guardrail_class: "recoverable_guardrail",
      rollback_applied: true,
      retry_feedback_injected: true,
      guardrail_recovery_attempts: 1,
      latest_failure_stage: "validation",
      latest_failure_class: "small",
    },
    {
      attempt_id: "b#2",
      attempt_stages: ["generated", "validated", "executed", "rolled_back"],
      outcome_repair_triggered: true,
      outcome_repair_attempts: 1,
      latest_failure_stage: "outcome_policy",
      latest_failure_class: "sold_out",
    },
    { attempt_id: "c#3", attempt_stage: "executed", committed: true, rollback_applied: false },
  ]);
  // What was wrong may name values, which belong in no log.
  expect(JSON.stringify(ended)).not.toMatch(/exceeds stock|none left/);
});
