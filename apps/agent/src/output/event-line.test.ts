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
} as const;

test.each<[SessionEvent, string | undefined]>([
  [
    { ...failed, waits: 1500 },
    "main/small failed (rate_limit) in turn 2, attempt 1; trying again in 2 s",
  ],
  [{ ...failed, waits: 0 }, "main/small failed (rate_limit) in turn 2, attempt 1; trying again"],
  [failed, "main/small failed (rate_limit) in turn 2, attempt 1; no attempt is left"],
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
  [{ type: "not-judged", what: "price", detail: "No price" }, undefined],
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
