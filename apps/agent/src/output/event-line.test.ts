import type { SessionEvent } from "@toolcontract/session";
import { expect, test } from "vitest";
import { eventLine, sdkWarningLine } from "./index.ts";

const target = { provider: "main", model: "small" };
const tokens = {
  projected_tokens: 900,
  limit_tokens: 800,
  remaining_tokens: 10,
  blocked: [target],
};
const failed = {
  type: "attempt-failed",
  ...target,
  turn: 2,
  attempt: 1,
  kind: "rate_limit",
  reason: "overloaded",
  status: 529,
  maxRetries: 4,
} as const;
const following = { next: { provider: "other", model: "large" } };

test.each<[SessionEvent, string | undefined]>([
  [{ ...failed, ...following, waits: 0 }, "small: 529 overloaded; trying large (2 of 4)"],
  [{ ...failed, ...following, waits: 1500 }, "small: 529 overloaded; trying large in 2 s (2 of 4)"],
  [{ ...failed, next: target, waits: 0 }, "small: 529 overloaded; trying again (2 of 4)"],
  [failed, "small: 529 overloaded; no attempt is left"],
  [
    { ...failed, reason: "HTTP 529: overloaded", ...following, attempt: 3 },
    "small: HTTP 529: overloaded; trying large (4 of 4)",
  ],
  [{ ...failed, reason: "x".repeat(300) }, `small: 529 ${"x".repeat(117)}...; no attempt is left`],
  [
    { type: "report-truncated", reason: "length" },
    "the report is not whole: it was cut off at the length limit of an answer (max_output_tokens)",
  ],
  [
    { type: "report-truncated", reason: "content_filter" },
    "the report is not whole: a content filter of the provider ended it",
  ],
  [
    { type: "text-accepted" },
    "the model called no tool and no report: its text was taken for the report",
  ],
  [
    { type: "budget-exceeded", limit: "maxCost", spent: 0.75, max: 1 },
    "$0.7500 of $1 are spent (max_cost); this turn is the last",
  ],
  [
    { type: "budget-exceeded", limit: "maxTokens", spent: 750, max: 1000 },
    "750 of 1000 tokens are spent (max_tokens); this turn is the last",
  ],
  [
    { type: "no-progress", tool: "read", times: 3, isLast: false },
    "read had the same result 3 times for the same arguments, and the model was told so",
  ],
  [
    { type: "no-progress", tool: "read", times: 4, isLast: true },
    "read had the same result 4 times for the same arguments; the next turn is the last",
  ],
  [
    { type: "context-exceeded", guard: "tool_preflight", tool: "read", ...tokens },
    "the context window is full (900 of 800 tokens), so the result of read was dropped; the next turn is the last",
  ],
  [
    { type: "context-exceeded", guard: "turn_preflight", ...tokens },
    "the context window is full (900 of 800 tokens); the next turn is the last",
  ],
  [
    { type: "post-shrink", projected_tokens: 900, limit_tokens: 800 },
    "the last request does not fit into the context window either (900 of 800 tokens)",
  ],
  [
    { type: "tool-truncated", tool: "read", bytes: 90, limit: 50 },
    "the result of read was cut from 90 to 50 bytes (tool_response_max_bytes)",
  ],
  [
    { type: "tool-timeout", tool: "read", limit: 50 },
    "read was given up after 50 ms (tool_timeout)",
  ],
  [
    { type: "report-failed", payload: "a secret", reason: "a secret" },
    "the final report was invalid; the next turn is the last",
  ],
  [{ type: "not-judged", what: "usage", detail: "No usage" }, undefined],
  [{ type: "not-judged", what: "price", detail: "No price" }, "No price"],
  [{ type: "not-judged", what: "stop-reason", detail: "No reason" }, "No reason"],
  [{ type: "report-normalized", given: "text", expected: "markdown" }, undefined],
  [
    {
      type: "llm-request",
      turn: 1,
      ctxTokens: 0,
      newTokens: 0,
      schemaTokens: 0,
      expectedTokens: 0,
    },
    undefined,
  ],
])("%j", (event, expected) => {
  expect(eventLine(event)).toBe(expected);
});

test.each([
  [{ type: "unsupported", feature: "topK" }, "topK is not supported by the model"],
  [
    { type: "compatibility", feature: "seed", details: "It is ignored" },
    "seed is not supported by the model: It is ignored",
  ],
  [{ type: "deprecated", setting: "a", message: "Use b" }, "Use b"],
  [{ type: "other", message: "Beware" }, "Beware"],
] as const)("a warning of the SDK: %j", (warning, expected) => {
  expect(sdkWarningLine(warning)).toBe(expected);
});
