import { describe, expect, test } from "vitest";
import {
  CUTTING_FINISH_REASONS,
  isCuttingFinishReason,
  isWholeOutput,
  lastFinishReason,
  unifiedFinishReason,
  WHOLE_FINISH_REASONS,
} from "./finish-reason.ts";
import { parseArguments } from "./parse-arguments.ts";

const DEFAULTS = { repairJson: true, closeDangling: false };

/** The values of each API by its types and pages: those that say nothing is missing, and all others. */
const APIS: readonly (readonly [
  api: string,
  whole: readonly string[],
  others: readonly string[],
])[] = [
  ["OpenAI Chat", ["stop", "tool_calls", "function_call"], ["length", "content_filter"]],
  [
    "OpenAI Responses",
    ["completed"],
    ["failed", "in_progress", "cancelled", "queued", "incomplete", "max_output_tokens"],
  ],
  ["OpenAI Realtime", ["completed"], ["cancelled", "failed", "incomplete", "turn_detected"]],
  [
    "Anthropic",
    ["end_turn", "tool_use", "stop_sequence", "pause_turn"],
    ["max_tokens", "refusal", "model_context_window_exceeded"],
  ],
  [
    "Gemini",
    ["STOP"],
    [
      "FINISH_REASON_UNSPECIFIED",
      "MAX_TOKENS",
      "SAFETY",
      "RECITATION",
      "LANGUAGE",
      "OTHER",
      "BLOCKLIST",
      "PROHIBITED_CONTENT",
      "SPII",
      "MALFORMED_FUNCTION_CALL",
      "IMAGE_SAFETY",
      "UNEXPECTED_TOOL_CALL",
      "TOO_MANY_TOOL_CALLS",
      "MISSING_THOUGHT_SIGNATURE",
      "MALFORMED_RESPONSE",
    ],
  ],
  [
    "Gemini Interactions",
    ["completed", "requires_action"],
    ["in_progress", "failed", "cancelled", "incomplete", "budget_exceeded", "queued"],
  ],
  ["Mistral", ["stop", "tool_calls"], ["length", "model_length", "error"]],
  [
    "Cohere",
    ["COMPLETE", "STOP_SEQUENCE", "TOOL_CALL"],
    ["MAX_TOKENS", "ERROR", "ERROR_TOXIC", "ERROR_LIMIT", "USER_CANCEL", "TIMEOUT"],
  ],
  ["Ollama", ["stop"], ["length", "load", "unload"]],
  [
    "Bedrock",
    ["end_turn", "tool_use", "stop_sequence"],
    [
      "max_tokens",
      "guardrail_intervened",
      "content_filtered",
      "malformed_model_output",
      "malformed_tool_use",
      "model_context_window_exceeded",
    ],
  ],
  ["the AI SDK", ["stop", "tool-calls"], ["length", "content-filter", "error", "other"]],
  ["DeepSeek", ["stop", "tool_calls"], ["length", "insufficient_system_resource"]],
  ["vLLM and TGI", ["stop", "tool_calls", "eos_token"], ["length", "abort"]],
  ["LM Studio", ["eosFound", "stopStringFound", "toolCalls"], ["userStopped", "failed"]],
  ["watsonx", ["eos_token", "stop_sequence"], ["not_finished", "cancelled", "time_limit"]],
];

/** Whether a call without arguments runs. */
function runs(raw: unknown, finishReason: string | null | undefined): boolean {
  return parseArguments(raw, { ...DEFAULTS, finishReason }).ok;
}

describe.each(APIS)("%s", (_, whole, others) => {
  test.each(whole)("a call without arguments runs at %s", (reason) => {
    for (const raw of ["", undefined, {}, " ", "undefined"]) expect(runs(raw, reason)).toBe(true);
  });

  test.each(others)("a call without arguments does not run at %s", (reason) => {
    for (const raw of ["", undefined, {}, " ", "undefined"]) expect(runs(raw, reason)).toBe(false);
    // What came is judged by itself.
    expect(runs('{"a":1}', reason)).toBe(true);
    expect(runs("{}", reason)).toBe(!isCuttingFinishReason(reason));
    expect(runs({ a: 1 }, reason)).toBe(!isCuttingFinishReason(reason));
    expect(parseArguments({}, { ...DEFAULTS, rawText: "{}", finishReason: reason }).ok).toBe(
      !isCuttingFinishReason(reason),
    );
  });
});

test.each([
  [undefined, true],
  ["", true],
  [null, false],
  ["a word of tomorrow", false],
  ["toString", false],
  ["stop".repeat(100), false],
])(
  "an API without a reason says nothing, and one that has not said it leaves a doubt: %j",
  (reason, isWhole) => {
    expect(isWholeOutput(reason)).toBe(isWhole);
    expect(isCuttingFinishReason(reason)).toBe(false);
    expect(runs("", reason)).toBe(isWhole);
  },
);

test("a call without arguments is in doubt only if its reason is in no list", () => {
  const doubts = ["", {}, '{"a":'].flatMap((raw) =>
    ["length", "error", null, "stop", undefined].map((finishReason) => {
      const parsed = parseArguments(raw, { ...DEFAULTS, finishReason });
      return !parsed.ok && parsed.isDoubted === true ? [raw, finishReason] : [];
    }),
  );
  expect(doubts.filter((one) => one.length > 0)).toEqual([
    ["", "error"],
    ["", null],
    [{}, "error"],
    [{}, null],
  ]);
});

test("no reason is in both lists", () => {
  const both = [...WHOLE_FINISH_REASONS].filter((reason) => CUTTING_FINISH_REASONS.has(reason));
  expect(both).toEqual([]);
});

test.each([
  ["stop", "stop"],
  ["STOPSTOP", "stop"],
  ["tool_callstool_calls", "tool_calls"],
  ["stoptool_calls", "tool_calls"],
  ["STOPSTOPMAX_TOKENS", "max_tokens"],
  ["tool-callstool-calls", "tool_calls"],
  ["completedcompleted", "completed"],
  ["stopwatch", "stopwatch"],
  ["in_progresscompleted", "completed"],
  ["stoperror", "error"],
  ["", ""],
  ["stop".repeat(200), "stop"],
  ["stop".repeat(2_000), "stop".repeat(2_000)],
])("of reasons that a client has joined, the last counts: %s", (reason, last) => {
  expect(lastFinishReason(reason)).toBe(last);
});

test.each<[unknown, string | undefined]>([
  ["tool-calls", "tool-calls"],
  ["other", "other"],
  ["unknown", undefined],
  [{ unified: "stop", raw: "end_turn" }, "stop"],
  [{ unified: "other", raw: "eos" }, "eos"],
  [{ unified: "other", raw: "error" }, "error"],
  [{ unified: "other", raw: undefined }, undefined],
  [{ unified: "other" }, undefined],
  [{ unified: 5 }, undefined],
  [null, undefined],
  [undefined, undefined],
])("a reason of the AI SDK: %j", (given, reason) => {
  expect(unifiedFinishReason(given)).toBe(reason);
});
