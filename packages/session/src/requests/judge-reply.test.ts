import { describe, expect, test } from "vitest";
import {
  ProviderError,
  CUT_NOTICE,
  EMPTY_NOTICE,
  FILTERED_NOTICE,
  NUDGE_NOTICE,
  REASONING_NOTICE,
  type ReplyFacts,
  SHORTER_NOTICE,
} from "../shared/index.ts";
import { type JudgeOptions, judgeReply } from "./judge-reply.ts";

const EMPTY: ReplyFacts = { text: "", hasReasoning: false, calls: [] };
const CALLS = [{ id: "1", name: "add" }];
const ACCEPT: JudgeOptions = { isLast: false, plainText: "accept", isReport: () => true };
const RETRY: JudgeOptions = { ...ACCEPT, plainText: "retry" };
const JSON_ONLY: JudgeOptions = { ...ACCEPT, isReport: (text) => text.startsWith("{") };

type Verdict = string;

const table: readonly (readonly [string, Partial<ReplyFacts>, JudgeOptions, Verdict])[] = [
  ["a call", { calls: CALLS }, ACCEPT, "complete"],
  [
    "a call after text, which is not judged",
    { calls: CALLS, text: "let me see" },
    RETRY,
    "complete",
  ],
  ["a call on the last turn", { calls: CALLS }, { ...RETRY, isLast: true }, "complete"],
  ["text", { text: "my answer" }, ACCEPT, "complete"],
  ["text where calls are required", { text: "my answer" }, RETRY, EMPTY_NOTICE],
  [
    "text where calls are required, on the last turn",
    { text: "my answer" },
    { ...RETRY, isLast: true },
    "complete",
  ],
  ["text that is not a report", { text: "my answer" }, JSON_ONLY, EMPTY_NOTICE],
  ["text that is one", { text: "{}" }, JSON_ONLY, "complete"],
  [
    "text that is not a report, on the last turn",
    { text: "my answer" },
    { ...JSON_ONLY, isLast: true },
    EMPTY_NOTICE,
  ],
  ["nothing", {}, ACCEPT, EMPTY_NOTICE],
  ["nothing on the last turn", {}, { ...ACCEPT, isLast: true }, EMPTY_NOTICE],
  ["blanks", { text: " \n\t " }, ACCEPT, EMPTY_NOTICE],
  ["reasoning", { hasReasoning: true }, ACCEPT, "continue"],
  ["reasoning where calls are required", { hasReasoning: true }, RETRY, "continue"],
  ["reasoning and blanks", { hasReasoning: true, text: " " }, ACCEPT, "continue"],
  [
    "reasoning on the last turn",
    { hasReasoning: true },
    { ...ACCEPT, isLast: true },
    REASONING_NOTICE,
  ],
  [
    "reasoning and text where calls are required",
    { hasReasoning: true, text: "x" },
    RETRY,
    EMPTY_NOTICE,
  ],
  ["a file, or a call that the provider ran", { hasOther: true }, RETRY, "complete"],
  ["a file on the last turn", { hasOther: true }, { ...ACCEPT, isLast: true }, "complete"],
  ["a cut call", { cut: true, finishReason: "length" }, ACCEPT, CUT_NOTICE],
  ["a cut call after one that is whole", { cut: true, calls: CALLS }, ACCEPT, CUT_NOTICE],
  ["a cut text", { text: "my ans", finishReason: "length" }, ACCEPT, SHORTER_NOTICE],
  [
    "a cut text, with no attempt left",
    { text: "my ans", finishReason: "max_tokens" },
    { ...ACCEPT, isLastAttempt: true },
    "complete",
  ],
  [
    "a cut text on the last turn",
    { text: "my ans", finishReason: "length" },
    { ...ACCEPT, isLast: true },
    SHORTER_NOTICE,
  ],
  ["a filtered text", { text: "my ans", finishReason: "content-filter" }, ACCEPT, FILTERED_NOTICE],
  ["a filtered text of Google", { text: "a", finishReason: "SAFETY" }, ACCEPT, FILTERED_NOTICE],
  ["text beside tools, by default", { text: "a" }, ACCEPT, "complete"],
  ["text beside tools", { text: "a" }, { ...ACCEPT, plainText: "nudge" }, NUDGE_NOTICE],
  [
    "text beside tools on the last turn",
    { text: "a" },
    { ...ACCEPT, plainText: "nudge", isLast: true },
    "complete",
  ],
];

describe("an answer of", () => {
  test.each(table)("%s", (_, reply, options, verdict) => {
    expect(judged({ ...EMPTY, ...reply }, options)).toBe(verdict);
  });
});

test.each<readonly [string, Partial<ReplyFacts>, Partial<JudgeOptions>]>([
  ["has neither text nor tool calls", {}, {}],
  ["is reasoning alone, without text or tool calls", { hasReasoning: true }, { isLast: true }],
  ["is plain text without tool calls", { text: "a" }, { plainText: "retry" }],
  ["is plain text while tools are offered", { text: "a" }, { plainText: "nudge" }],
  ["was cut off at its length limit", { text: "a", finishReason: "length" }, {}],
  ["was cut off at its length limit, inside a tool call", { text: "a", cut: true }, {}],
  ["was ended by a content filter", { text: "a", finishReason: "content-filter" }, {}],
])("an operator reads that the answer %s", (words, reply, options) => {
  expect(() => judgeReply({ ...EMPTY, ...reply }, { ...ACCEPT, ...options })).toThrow(
    new RegExp(`^the answer ${words}$`),
  );
});

/** The verdict, or the notice of an answer to retry. */
function judged(reply: ReplyFacts, options: JudgeOptions): string | undefined {
  try {
    return judgeReply(reply, options);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    expect(error.kind).toBe(/filter|length limit$/.test(error.message) ? "cut" : "empty");
    return error.notice;
  }
}
