import { expect, test } from "vitest";
import { finishReasonIn } from "./finish-reason.ts";

test.each<[kind: string, raw: unknown, reason: string | undefined]>([
  ["a completion", { choices: [{ finish_reason: "length" }] }, "length"],
  ["a chunk that is not the last", { choices: [{ finish_reason: null }] }, undefined],
  ["a chunk of usage", { choices: [] }, undefined],
  [
    "a response",
    { object: "response", status: "completed", incomplete_details: null },
    "completed",
  ],
  ["a response that was cancelled", { object: "response", status: "cancelled" }, "cancelled"],
  [
    "a response that was cut",
    { object: "response", status: "incomplete", incomplete_details: { reason: "content_filter" } },
    "content_filter",
  ],
  ["an event of a response", { type: "response.created", response: {} }, undefined],
  [
    "a result of the AI SDK",
    { finishReason: { unified: "tool-calls", raw: "tool_use" } },
    "tool-calls",
  ],
  ["one of version 5", { finishReason: "stop" }, "stop"],
  ["one without a reason", { finishReason: { unified: "other", raw: undefined } }, undefined],
  ["another status", { status: "ok" }, undefined],
  ["nothing", undefined, undefined],
  ["garbage", { choices: "x", incomplete_details: 5, finishReason: 7 }, undefined],
])("of %s", (_, raw, reason) => {
  expect(finishReasonIn(raw)).toBe(reason);
});
