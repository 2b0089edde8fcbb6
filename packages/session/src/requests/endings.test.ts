import { describe, expect, test } from "vitest";
import {
  FILTERED_NOTICE,
  ProviderError,
  type ReplyFacts,
  SHORTER_NOTICE,
  UNREADABLE_NOTICE,
} from "../shared/index.ts";
import { type JudgeOptions, judgeReply } from "./judge-reply.ts";

const ACCEPT: JudgeOptions = { isLast: false, plainText: "accept", isReport: () => true };
const CALLS = [{ id: "1", name: "add" }];
const HALF = { text: "Delete nothing. First," };

interface Judged {
  readonly kind: string;
  readonly message: string;
  readonly notice: string | undefined;
  readonly isSpent: boolean;
}

function judged(reply: Partial<ReplyFacts>, options: Partial<JudgeOptions> = {}): Judged | string {
  try {
    const facts = { text: "", hasReasoning: false, calls: [], ...reply };
    return judgeReply(facts, { ...ACCEPT, ...options });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { kind, message, notice, isSpent } = error;
    return { kind, message, notice, isSpent };
  }
}

describe("half an answer is not a success, on the last attempt of the last turn either", () => {
  test.each<readonly [string, Partial<ReplyFacts>, string, RegExp]>([
    ["a stream without a reason", { ...HALF, streamed: true }, "network", /stream ended before/],
    ["a stream without anything", { streamed: true }, "network", /stream ended before/],
    ["error", { ...HALF, finishReason: "error" }, "model", /with an error \(error\)/],
    ["failed", { ...HALF, finishReason: "failed" }, "model", /\(failed\)/],
    ["network_error", { ...HALF, finishReason: "network_error" }, "model", /\(network_error\)/],
    ["a new kind of error", { ...HALF, finishReason: "upstream-error" }, "model", /upstream-error/],
    ["cancelled", { ...HALF, finishReason: "CANCELLED" }, "model", /CANCELLED/],
    [
      "an error in the raw answer",
      { ...HALF, finishReason: "other", failed: "the upstream died" },
      "model",
      /the upstream died/,
    ],
    ["a pause in the last turn", { ...HALF, finishReason: "pause_turn" }, "cut", /was paused/],
    ["half a call in a stream", { calls: CALLS, cut: true, streamed: true }, "network", /stream/],
    ["half a call at an error", { calls: CALLS, cut: true, finishReason: "error" }, "model", /err/],
    ["MALFORMED_FUNCTION_CALL", { finishReason: "MALFORMED_FUNCTION_CALL" }, "empty", /not read/],
  ])("%s", (_, reply, kind, message) => {
    const error = judged(reply, { isLast: true, isLastAttempt: true });
    expect(error).toMatchObject({ kind, message: expect.stringMatching(message) as unknown });
  });
});

describe("what an empty answer was ended by is named, with what to change", () => {
  test.each<readonly [string, string, RegExp, string | undefined]>([
    ["length", "cut", /output limit was spent .*maxOutputTokens.*\(length\)/, undefined],
    ["max_tokens", "cut", /\(max_tokens\)/, undefined],
    ["content-filter", "cut", /content filter .*change the prompt/, FILTERED_NOTICE],
    ["SAFETY", "cut", /content filter .*\(SAFETY\)/, FILTERED_NOTICE],
    ["PROHIBITED_CONTENT", "cut", /content filter/, FILTERED_NOTICE],
    ["refusal", "cut", /refused to answer/, FILTERED_NOTICE],
    ["MALFORMED_FUNCTION_CALL", "empty", /could not read the call/, UNREADABLE_NOTICE],
  ])("%s", (finishReason, kind, message, notice) => {
    for (const hasReasoning of [false, true]) {
      expect(judged({ finishReason, hasReasoning })).toEqual({
        kind,
        message: expect.stringMatching(message) as unknown,
        notice,
        isSpent: /limit was spent/.test(String(message)) || finishReason === "max_tokens",
      });
    }
  });

  test("a limit that text has used up may do for a shorter one", () => {
    const error = judged({ ...HALF, finishReason: "length" });
    expect(error).toMatchObject({ kind: "cut", notice: SHORTER_NOTICE, isSpent: false });
  });
});

describe("whole answers stay so", () => {
  test.each<readonly [string, Partial<ReplyFacts>, string]>([
    ["without a reason", HALF, "complete"],
    ["with a reason of tomorrow", { ...HALF, finishReason: "halted" }, "complete"],
    [
      "streamed, with a reason of tomorrow",
      { ...HALF, finishReason: "x", streamed: true },
      "complete",
    ],
    ["streamed, with a reason", { ...HALF, finishReason: "eos", streamed: true }, "complete"],
    ["calls in a stream without a reason", { calls: CALLS, streamed: true }, "complete"],
    ["calls before an error", { calls: CALLS, finishReason: "error" }, "complete"],
    ["a pause that may go on", { ...HALF, finishReason: "pause_turn" }, "continue"],
    ["a pause with nothing said", { finishReason: "pause_turn" }, "continue"],
    ["a file, at a pause", { hasOther: true, finishReason: "pause_turn" }, "continue"],
  ])("%s", (_, reply, verdict) => {
    expect(judged(reply)).toBe(verdict);
  });
});
