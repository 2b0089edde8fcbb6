import { calls, failure, fails, reportCall, reported, says, target } from "../row.ts";
import type { SessionCase } from "../session-case.ts";
import { FILTERED, NUDGE, SHORTER } from "../texts.ts";

const WHOLE = "a text that is not whole is not a success while an attempt is left";
const CUT = "pa failed: the answer was cut off at its length limit";
const half = (finishReason: "length" | "content-filter" = "length") => ({
  text: "half an ans",
  finishReason,
});
const TRUNCATED = { ...reported("half an ans"), metadata: { truncated: true } };
const goesOn = {
  success: true,
  report: reported("done"),
  conversation: "user, assistant",
  says: ["done"],
} as const;

/** Texts that are not whole, or not the report. */
export const truncationCases: readonly SessionCase[] = [
  {
    name: "a text that ended at its length limit is asked for again, shorter",
    clause: WHOLE,
    targets: [target([half()]), target([says("done")], { name: "pb" })],
    expected: {
      ...goesOn,
      requests: ["pa", { to: "pb", notices: [SHORTER] }],
      accounting: [CUT, "pb ok"],
      events: [{ type: "attempt-failed", kind: "cut" }],
    },
  },
  {
    name: "a text that a filter ended is asked for again, in other words",
    clause: WHOLE,
    targets: [target([half("content-filter")]), target([says("done")], { name: "pb" })],
    expected: {
      ...goesOn,
      requests: ["pa", { to: "pb", notices: [FILTERED] }],
      accounting: ["pa failed: the answer was ended by a content filter", "pb ok"],
    },
  },
  ...(["length", "content-filter"] as const).map((reason): SessionCase => ({
    name: `with no attempt left, a text that ended by ${reason} is a report that says so`,
    clause: "a report of cut text: truncated: true in its metadata",
    options: { maxRetries: 1 },
    targets: [target([half(reason)])],
    expected: {
      success: true,
      report: TRUNCATED,
      requests: ["pa"],
      conversation: "user, assistant",
      accounting: ["pa ok"],
      events: [{ type: "report-truncated", reason: reason.replace("-", "_") }],
    },
  })),
  {
    name: "if every attempt is cut, the last one is the report",
    clause: "a report of cut text: truncated: true in its metadata",
    options: { maxRetries: 2 },
    targets: [target([half(), half()])],
    expected: {
      success: true,
      report: TRUNCATED,
      requests: ["pa", { to: "pa", notices: [SHORTER] }],
      conversation: "user, assistant",
      accounting: [CUT, "pa ok"],
      events: [{ type: "report-truncated", reason: "length" }],
    },
  },
  {
    name: "a cut text is better than none, if nothing but errors follows it",
    clause: "a report of cut text: truncated: true in its metadata",
    options: { maxRetries: 2 },
    targets: [target([half()]), target([fails(500)], { name: "pb" })],
    expected: {
      success: true,
      error: "status 500",
      report: TRUNCATED,
      requests: ["pa", { to: "pb", notices: [SHORTER] }],
      conversation: "user",
      accounting: [CUT, "pb failed: status 500"],
    },
  },
  {
    name: "a cut text that is not JSON is not a report, also with no attempt left",
    clause: "JSON format: content_json object",
    options: { maxRetries: 1, expectedOutputFormat: "json" },
    targets: [target([{ text: '{"notes": ', finishReason: "length" }])],
    expected: {
      success: false,
      error: "plain text without tool calls",
      report: {
        ...failure("attempts_exhausted"),
        format: "json",
        content: undefined as never,
        content_json: {
          error:
            "The run ended without a final report: all attempts of a turn failed. the answer is plain text without tool calls",
          reason: "attempts_exhausted",
        },
      },
      requests: ["pa"],
      conversation: "user",
      accounting: ["pa failed: the answer is plain text without tool calls"],
    },
  },
  {
    name: "text beside tools gets one nudge, and then the report comes",
    clause: 'plainText: "nudge" asks once whether the text was the report',
    options: { plainText: "nudge" },
    targets: [
      target([
        says("Let me now look at the files."),
        calls(reportCall("r1", { format: "markdown", content: "Two notes." })),
      ]),
    ],
    tools: [{ name: "read" }],
    expected: {
      success: true,
      report: reported("Two notes."),
      requests: ["pa", { to: "pa", notices: [NUDGE] }],
      conversation: "user, assistant r1, tool r1",
      accounting: [
        "pa failed: the answer is plain text while tools are offered",
        "pa ok",
        "agent__final_report ok",
      ],
    },
  },
  {
    name: "text after the nudge is accepted, and that is said",
    clause: 'plainText: "nudge" asks once whether the text was the report',
    options: { plainText: "nudge" },
    targets: [target([says("First."), says("done")])],
    tools: [{ name: "read" }],
    expected: {
      ...goesOn,
      requests: ["pa", { to: "pa", notices: [NUDGE] }],
      accounting: ["pa failed: the answer is plain text while tools are offered", "pa ok"],
      events: [{ type: "text-accepted" }],
    },
  },
  {
    name: "without tools, text needs no nudge",
    clause: 'plainText: "nudge" asks once whether the text was the report',
    options: { plainText: "nudge" },
    targets: [target([says("done")])],
    expected: { ...goesOn, requests: ["pa"], accounting: ["pa ok"], noEvents: ["text-accepted"] },
  },
];
